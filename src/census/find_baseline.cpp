// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/find_baseline.hpp>
#include <census/json_io.hpp>
#include <census/names.hpp>
#include <census/result.hpp>

#include <algorithm>

namespace census {

Backend backend_of(const Baseline& baseline) {
  return baseline.device.name == generic_cpu_name ? Backend::cpu : Backend::cuda;
}

std::vector<std::filesystem::path> baseline_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() == ".json" && file_kind(entry.path()) == "timing")
      files.push_back(entry.path());
  }
  if (error) throw FileError(directory.string() + ": cannot be listed: " + error.message());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::pair<std::string, Baseline>> readable_baselines(const std::filesystem::path& directory) {
  std::vector<std::pair<std::string, Baseline>> found;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored)) {
    if (entry.path().extension() != ".json") continue;
    try {
      found.emplace_back(entry.path().filename().string(), read_baseline(entry.path()));
    } catch (const FileError&) {
      continue;  // waivers and static baselines live here too, and a broken one is not this device's
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return found;
}

namespace {

std::string nearest_text(const std::filesystem::path& directory, const BaselineDevice& here) {
  std::string nearest;
  std::vector<std::string> fewest;
  for (const auto& [name, baseline] : readable_baselines(directory)) {
    // The generic CPU bounds have no key that a GPU could nearly match.
    if (backend_of(baseline) == Backend::cpu) continue;
    const auto differences = hard_differences(baseline.device, here);
    if (!nearest.empty() && differences.size() >= fewest.size()) continue;
    nearest = name;
    fewest = differences;
  }
  if (nearest.empty()) return "there is no other in " + directory.string();
  return "the nearest is " + nearest + " (" + join(fewest) + ")";
}

}  // namespace

BaselineMatch find_baseline(const std::filesystem::path& directory, const Device& device) {
  BaselineMatch match;
  const auto here = baseline_device(device);
  const auto file = directory / (slug(device) + ".json");
  match.file = file.string();
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    match.why_not = "no baseline " + match.file + " for this device; " + nearest_text(directory, here);
    return match;
  }
  auto baseline = read_baseline(file);
  const auto differences = hard_differences(baseline.device, here);
  if (!differences.empty()) {
    match.why_not = match.file + " is of another device: " + join(differences);
    return match;
  }
  match.notices = soft_differences(baseline.device, here);
  match.baseline = std::move(baseline);
  return match;
}

}  // namespace census
