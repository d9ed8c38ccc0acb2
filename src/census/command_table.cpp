// SPDX-License-Identifier: MIT
// The census table: every selected row measured in this process, and the tokens they add up to.
#include <census/commands.hpp>
#include <census/device_hold.hpp>
#include <census/error.hpp>
#include <census/report.hpp>
#include <census/select.hpp>

namespace census {

int table_command(const Call& call) {
  const Backend backend = choose_backend(call);
  const auto rows = select_rows(call.census, call.options, backend);
  if (rows.empty()) throw UsageError("no rows selected");
  const auto found = choose_device(call.platform, backend, call.options.device);
  if (const auto* none = std::get_if<NoDevice>(&found)) {
    call.out << std::string("no ") + to_string(backend) + " device: " + none->reason + "\n";
    return 77;
  }
  const auto& device = std::get<Device>(found);
  const auto hold = hold_device(device, call.options);
  if (const auto* holder = std::get_if<std::string>(&hold)) {
    call.out << "not measured: " + *holder + "\n";
    return 3;
  }
  TablePage page{call.census.name,
                 device,
                 this_build(),
                 call.platform.telemetry(device)->read(),
                 call.options.settings,
                 {},
                 {}};
  page.runs = measure_rows(call, device, rows);
  const auto& plans = call.options.plans.empty() ? call.census.plans : call.options.plans;
  for (const auto& plan : plans) page.plans.push_back(plan_sum(call.census, plan, page.runs));
  answer(call, report(page, call.options.format));
  return exit_code(page.runs);
}

}  // namespace census
