// SPDX-License-Identifier: MIT
// list: the rows, without touching a device.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/report.hpp>
#include <census/select.hpp>

namespace census {

int list_command(const Call& call) {
  const ListPage page{call.census.name, select_rows(call.census, call.options, call.options.backend)};
  if (page.rows.empty()) throw UsageError("list: no rows selected");
  answer(call, report(page, call.options.format));
  return 0;
}

}  // namespace census
