// SPDX-License-Identifier: MIT
// refresh: the command line of refresh.hpp.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/refresh.hpp>
#include <census/select.hpp>

#include <algorithm>

namespace census {

int refresh_command(const Call& call) {
  const auto& options = call.options;
  if (options.arguments.empty() && options.renames.empty() && options.drops.empty())
    throw UsageError("refresh: name the result files or directories to read");
  RefreshOptions request;
  request.results.assign(options.arguments.begin(), options.arguments.end());
  request.baselines = options.baselines;
  request.rules = {.reason = options.reason,
                   .replace = options.replace,
                   .loosen = options.loosen,
                   .accepted_losses = options.accepted_losses,
                   .renames = options.renames,
                   .drops = options.drops};
  request.selects = [&](Backend backend, const std::string& row) {
    return is_selected(call.census, options, backend, row);
  };
  request.in_census = [&](Backend backend, const std::string& row) {
    return std::any_of(call.census.rows.begin(), call.census.rows.end(),
                       [&](const KernelCase& each) { return each.backend == backend && each.id == row; });
  };
  request.dry_run = options.dry_run;
  return refresh(request, call.out);
}

}  // namespace census
