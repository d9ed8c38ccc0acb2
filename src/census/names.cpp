// SPDX-License-Identifier: MIT
#include <census/names.hpp>

#include <algorithm>
#include <numeric>

namespace census {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

bool glob_matches(const std::string& glob, const std::string& text) {
  std::size_t g = 0;
  std::size_t t = 0;
  std::size_t star = std::string::npos;  // the last '*' seen, to fall back to
  std::size_t covered = 0;               // how far that '*' reaches in text
  while (t < text.size()) {
    if (g < glob.size() && glob[g] == '*') {
      star = g++;
      covered = t;
    } else if (g < glob.size() && (glob[g] == '?' || glob[g] == text[t])) {
      ++g;
      ++t;
    } else if (star != std::string::npos) {
      g = star + 1;
      t = ++covered;
    } else {
      return false;
    }
  }
  return std::all_of(glob.begin() + static_cast<std::ptrdiff_t>(g), glob.end(),
                     [](char c) { return c == '*'; });
}

bool matches_any(const std::vector<std::string>& globs, const std::string& text) {
  return std::any_of(globs.begin(), globs.end(),
                     [&](const std::string& glob) { return glob_matches(glob, text); });
}

std::vector<std::string> nearest_names(const std::string& word, const std::vector<std::string>& candidates) {
  std::string plain = word;
  std::erase(plain, '*');
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const auto& candidate : candidates) {
    const bool contains = !plain.empty() && candidate.find(plain) != std::string::npos;
    ranked.emplace_back(contains ? 0 : edit_distance(plain, candidate), candidate);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> nearest;
  for (const auto& [distance, name] : ranked) {
    if (std::find(nearest.begin(), nearest.end(), name) == nearest.end()) nearest.push_back(name);
    if (nearest.size() == 3) break;
  }
  return nearest;
}

std::string nearest_hint(const std::string& word, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_names(word, candidates);
  return nearest.empty() ? "" : "; nearest: " + join(nearest);
}

std::string join(const std::vector<std::string>& words, const std::string& separator) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

}  // namespace census
