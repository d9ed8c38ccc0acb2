// SPDX-License-Identifier: MIT
// What a refresh may not do without saying so: lose, loosen, change its numbers, hide a loss behind a gain,
// or pass a change of the machine off as one of the code.
#include <census/judge_rules.hpp>
#include <census/names.hpp>
#include <census/refresh_parts.hpp>
#include <census/units.hpp>

#include <algorithm>
#include <set>

namespace census::refreshing {
namespace {

constexpr const char* ask = "; give a --reason if that is intended";

/// How much slower, or by how much its bound is lower, as a fraction; negative for a gain.
double loss_of(const RowChange& change, const Policy& policy) {
  const BaselineRow& before = change.before;
  const BaselineRow& now = change.now;
  if (!policy.one_sided_fraction) return now.us / before.us - 1;
  if (!before.min_ceiling_fraction || !now.min_ceiling_fraction) return 0;
  return *before.min_ceiling_fraction / *now.min_ceiling_fraction - 1;
}

/// With the same machine code it is the machine that lost, which no choice between kernels can hide.
bool same_code(const RowChange& change) {
  return change.before.code_digest && change.before.code_digest == change.now.code_digest;
}

std::string first_word(const std::string& text) {
  return text.substr(0, text.find_first_of(" :,;"));
}

/// What the occasions of a row are of, as far as they say.
struct Machine {
  std::set<std::string> drivers, toolkits;

  void add(const BaselineRow& row) {
    for (const Occasion& occasion : row.occasions) {
      if (!occasion.driver.empty()) drivers.insert(occasion.driver);
      if (!occasion.toolkit.empty()) toolkits.insert(occasion.toolkit);
    }
  }
};

std::string list(const std::set<std::string>& words) {
  return join({words.begin(), words.end()});
}

bool within(const std::set<std::string>& some, const std::set<std::string>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

}  // namespace

bool is_machine_change(const std::string& reason) {
  return first_word(reason) == "driver" || first_word(reason) == "toolkit";
}

std::vector<std::string> unexplained(const RowChange& change, const Policy& policy) {
  const BaselineRow& before = change.before;
  const BaselineRow& now = change.now;
  std::vector<std::string> found;
  if (!before.output_digest.empty() && now.output_digest != before.output_digest) {
    found.push_back("the numeric class changed, digest " + before.output_digest + " -> " + now.output_digest +
                    ask);
  }
  if (policy.one_sided_fraction) {
    const double lower = now.min_ceiling_fraction.value_or(0);
    if (before.min_ceiling_fraction && lower < *before.min_ceiling_fraction) {
      found.push_back("the bound falls, " + format_fixed(*before.min_ceiling_fraction, 3) + " -> " +
                      format_fixed(lower, 3) + ask);
    }
    return found;
  }
  if (now.us > before.us * (1 + loss_needing_reason)) {
    found.push_back("slower than before, " + rules::format_us(before.us) + " -> " + rules::format_us(now.us) +
                    ask);
  }
  constexpr double rounding = 1e-9;
  if (now.tolerance > before.tolerance + rounding) {
    found.push_back("a looser tolerance, " + rules::format_percent(before.tolerance) + " -> " +
                    rules::format_percent(now.tolerance) + ask);
  }
  return found;
}

std::vector<std::string> mixture(const std::vector<RowChange>& changes, const Policy& policy,
                                 const std::vector<std::string>& accepted,
                                 std::vector<std::string>& notices) {
  std::vector<std::string> gains, losses, unnamed, refusals;
  const double counted = policy.one_sided_fraction ? cpu_change : loss_needing_reason;
  for (const RowChange& change : changes) {
    const double loss = loss_of(change, policy);
    if (change.anew && loss < -counted) gains.push_back(change.now.id);
    if (loss <= counted || same_code(change)) continue;
    losses.push_back(change.now.id);
    if (!matches_any(accepted, change.now.id)) unnamed.push_back(change.now.id);
  }
  for (const std::string& glob : accepted) {
    const auto matches = [&](const std::string& row) { return glob_matches(glob, row); };
    const auto gain = std::find_if(gains.begin(), gains.end(), matches);
    if (gain != gains.end()) {
      refusals.push_back("--accept-loss " + glob + " names " + *gain +
                         " as well, which gains; name the losing rows: " + join(losses));
    } else if (std::none_of(losses.begin(), losses.end(), matches)) {
      notices.push_back("--accept-loss " + glob + " names no row that loses");
    }
  }
  if (gains.empty() || unnamed.empty()) return refusals;
  std::string options;
  for (const std::string& row : unnamed) options += " --accept-loss " + row;
  refusals.push_back("rows gain (" + join(gains) + ") while others lose (" + join(unnamed) +
                     "): refresh the gains alone with --row, or name the losses with" + options);
  return refusals;
}

std::vector<std::string> machine_refusals(const Baseline& old, const Baseline& now,
                                          const std::vector<RowChange>& changes, const std::string& reason) {
  const std::string own_path = "; that is a refresh of its own: all rows at once, --reason driver or toolkit";
  Machine then, here;
  for (const RowChange& change : changes) {
    then.add(change.before);
    here.add(change.now);
  }
  const bool other_toolkit = !then.toolkits.empty() && !within(here.toolkits, then.toolkits);
  if (!is_machine_change(reason)) {
    const std::string& before = old.device.driver_branch;
    const std::string& branch = now.device.driver_branch;
    std::vector<std::string> found;
    if (!before.empty() && !branch.empty() && before != branch)
      found.push_back("the baseline is of driver branch " + before + ", the runs of " + branch + own_path);
    if (other_toolkit)
      found.push_back("the baseline is of toolkit " + list(then.toolkits) + ", the runs of " +
                      list(here.toolkits) + own_path);
    return found;
  }
  const bool unknown_toolkit = first_word(reason) == "toolkit" && then.toolkits.empty();
  if (!other_toolkit && !unknown_toolkit && within(here.drivers, then.drivers)) {
    return {"--reason " + first_word(reason) + ", but the runs are of the baseline's own driver " +
            list(here.drivers) + (then.toolkits.empty() ? "" : " and toolkit " + list(then.toolkits)) +
            "; give the reason that holds"};
  }
  return {};
}

std::vector<std::string> more_than_the_machine(const RowChange& change, const std::string& reason) {
  std::vector<std::string> found;
  if (!change.before.output_digest.empty() && change.before.output_digest != change.now.output_digest)
    found.push_back("its outputs changed as well; refresh a new numeric class by itself first");
  const bool other_code = change.before.code_digest && change.now.code_digest && !same_code(change);
  if (first_word(reason) == "driver" && other_code)
    found.push_back("its code changed as well; refresh the new kernel by itself first, or say toolkit");
  return found;
}

Baseline renamed(Baseline baseline, const std::vector<std::pair<std::string, std::string>>& renames,
                 std::vector<std::string>& refusals) {
  for (const auto& [from, to] : renames) {
    const auto is = [&](const std::string& id) {
      return [&id](const BaselineRow& row) { return row.id == id; };
    };
    const auto row = std::find_if(baseline.rows.begin(), baseline.rows.end(), is(from));
    if (row == baseline.rows.end()) continue;
    if (std::any_of(baseline.rows.begin(), baseline.rows.end(), is(to))) {
      refusals.push_back("row " + from + ": cannot become " + to + ", which the baseline has already");
      continue;
    }
    row->id = to;
    std::erase(row->aliases, to);
    row->aliases.push_back(from);
    // A row's data may follow from its id, and with them its outputs: the next runs say what they are.
    row->output_digest.clear();
  }
  return baseline;
}

}  // namespace census::refreshing
