// SPDX-License-Identifier: MIT
#include <census/kernel_table.hpp>
#include <census/names.hpp>
#include <census/report_peers.hpp>
#include <census/stats.hpp>
#include <census/text.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace census {
namespace {

std::string short_commit(const std::string& commit) {
  return "commit " + (commit.empty() ? std::string("unknown") : commit.substr(0, 12));
}

/// `text` at the end unless it is there.
void add_new(std::vector<std::string>& all, const std::string& text) {
  if (std::find(all.begin(), all.end(), text) == all.end()) all.push_back(text);
}

/// What several runs of an arm gave, one value each.
struct Seen {
  std::vector<double> us, floor_percent, dependent_floor_percent, cublas_us, cublas_ratio;
  std::vector<LaunchedKernel> kernels;
  bool resident = false;
  Bytes cold_bytes;
};

std::optional<double> middle(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return median(values);
}

void add_share(std::vector<double>& shares, const std::optional<Series>& floor, double us) {
  if (floor && us > 0) shares.push_back(100 * floor->median_us / us);
}

void add_time(Seen& seen, const RowRun& run, double us, const std::vector<LaunchedKernel>& kernels) {
  seen.us.push_back(us);
  add_share(seen.floor_percent, run.floor, us);
  add_share(seen.dependent_floor_percent, run.dependent_floor, us);
  seen.kernels = kernels;
  seen.resident = run.resident;
  seen.cold_bytes = run.cold_bytes;
}

KernelLine line_of(const std::string& row, const std::string& arm, const Seen& seen) {
  KernelLine line{.row = row, .arm = arm, .us = median(seen.us), .runs = static_cast<int>(seen.us.size())};
  if (!seen.resident) line.tbs = bandwidth(seen.cold_bytes, {line.us}).value;
  line.floor_percent = middle(seen.floor_percent);
  line.dependent_floor_percent = middle(seen.dependent_floor_percent);
  line.cublas_us = middle(seen.cublas_us);
  line.cublas_ratio = middle(seen.cublas_ratio);
  for (const LaunchedKernel& kernel : seen.kernels) {
    line.registers = std::max(line.registers, kernel.registers);
    line.shared_bytes = std::max(line.shared_bytes, kernel.static_shared_bytes + kernel.dynamic_shared_bytes);
    line.spill_bytes = std::max(line.spill_bytes, kernel.spill_bytes);
  }
  return line;
}

using Cell = std::function<std::string(const KernelLine&)>;

struct Column {
  const char* name;
  Cell cell;
};

std::string optional_cell(const std::optional<double>& value, int digits) {
  return value ? format_fixed(*value, digits) : "-";
}

std::vector<Column> columns() {
  return {
      {"us", [](const KernelLine& l) { return four_digits(l.us); }},
      {"TB/s", [](const KernelLine& l) { return l.tbs ? tbs_text(l.tbs) : std::string("-"); }},
      {"% floor", [](const KernelLine& l) { return optional_cell(l.floor_percent, 1); }},
      {"% dependent floor", [](const KernelLine& l) { return optional_cell(l.dependent_floor_percent, 1); }},
      {"cuBLAS, us",
       [](const KernelLine& l) { return l.cublas_us ? four_digits(l.cublas_us) : std::string("-"); }},
      {"cuBLAS / ours", [](const KernelLine& l) { return optional_cell(l.cublas_ratio, 2); }},
      {"runs", [](const KernelLine& l) { return std::to_string(l.runs); }},
      {"registers", [](const KernelLine& l) { return std::to_string(l.registers); }},
      {"shared, B", [](const KernelLine& l) { return std::to_string(l.shared_bytes); }},
      {"spills, B", [](const KernelLine& l) { return std::to_string(l.spill_bytes); }}};
}

}  // namespace

KernelTable kernel_table(const std::vector<RowRun>& runs) {
  KernelTable table;
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, Seen> all;
  std::vector<std::string> sources;
  const auto seen_of = [&](const std::string& row, const std::string& arm) -> Seen& {
    const std::pair key{row, arm};
    if (!all.contains(key)) order.push_back(key);
    return all[key];
  };
  for (const RowRun& run : runs) {
    if (run.status != RunStatus::measured || run.backend != Backend::cuda) continue;
    add_new(sources, run.device.name + ", driver " + run.device.driver + ", " +
                         short_commit(run.build.commit) + (run.build.dirty ? " (dirty)" : "") + ", " +
                         run.date.substr(0, 10));
    add_time(seen_of(run.row, run.arm), run, run.row_series.median_us, run.kernels);
    for (const PeerRun& peer : run.peers) {
      if (!peer.series) continue;
      if (peer.name == "cuBLAS") {
        Seen& own = seen_of(run.row, run.arm);
        own.cublas_us.push_back(peer.series->median_us);
        own.cublas_ratio.push_back(peer_numbers(run, peer).ratio.value_or(0));
      } else if (peer.name.starts_with("arm ")) {
        add_time(seen_of(run.row, peer.name.substr(4)), run, peer.series->median_us, peer.kernels);
      }
    }
  }
  for (const auto& key : order) table.lines.push_back(line_of(key.first, key.second, all[key]));
  table.source = join(sources, "; ");
  return table;
}

KernelTable kernel_table(const Baseline& baseline) {
  KernelTable table;
  std::vector<std::string> commits;
  for (const BaselineRow& row : baseline.rows) {
    add_new(commits, short_commit(row.commit) + ", " + row.date.substr(0, 10));
    table.lines.push_back({.row = row.id,
                           .arm = row.arm,
                           .us = row.us,
                           .runs = row.runs,
                           .tbs = row.tbs,
                           .registers = row.registers,
                           .shared_bytes = row.shared_bytes,
                           .spill_bytes = row.spill_bytes});
  }
  table.source =
      baseline.device.name + ", driver " + baseline.device.driver_branch + ", " + join(commits, "; ");
  return table;
}

std::string markdown(const KernelTable& table) {
  std::vector<Column> shown = columns();
  std::erase_if(shown, [&](const Column& column) {
    return std::all_of(table.lines.begin(), table.lines.end(),
                       [&](const KernelLine& line) { return column.cell(line) == "-"; });
  });
  std::string text = table.source + ":\n\n| row | arm |", rule = "|---|---|";
  for (const Column& column : shown) {
    text += std::string(" ") + column.name + " |";
    rule += "--:|";
  }
  text += "\n" + rule + "\n";
  for (const KernelLine& line : table.lines) {
    text += "| " + line.row + " | " + line.arm + " |";
    for (const Column& column : shown) text += " " + column.cell(line) + " |";
    text += "\n";
  }
  return text;
}

}  // namespace census
