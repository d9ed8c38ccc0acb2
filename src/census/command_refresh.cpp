// SPDX-License-Identifier: MIT
// refresh: the command line of refresh.hpp.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/refresh.hpp>

namespace census {

int refresh_command(const Call& call) {
  const auto& options = call.options;
  if (options.arguments.empty()) throw UsageError("refresh: name the result files or directories to read");
  RefreshOptions request;
  request.results.assign(options.arguments.begin(), options.arguments.end());
  request.baselines = options.baselines;
  request.rules = {options.reason, options.replace, options.loosen};
  request.dry_run = options.dry_run;
  return refresh(request, call.out);
}

}  // namespace census
