// SPDX-License-Identifier: MIT
#include <census/report_peers.hpp>
#include <census/text.hpp>

#include <algorithm>

namespace census {
namespace {

constexpr std::size_t name_width = 35;  // as the table's own first column

std::string peer_line(const RowRun& run, const PeerRun& peer) {
  const PeerNumbers numbers = peer_numbers(run, peer);
  return left("  " + peer.name, name_width) + right(four_digits(numbers.us), 8) +
         right(tbs_text(numbers.tbs), 7) + right(fixed_or_na(numbers.ratio, 3), 8) + "\n" +
         wrap(peer.call, 4);
}

std::string own_line(const RowRun& run) {
  return left("  arm " + run.arm, name_width) + right(four_digits(run.row_series.median_us), 8) +
         right(tbs_text(achieved_tbs(run)), 7) + right("ours", 8) + "\n";
}

bool measured(const PeerRun& peer) {
  return peer.series.has_value();
}

}  // namespace

PeerNumbers peer_numbers(const RowRun& run, const PeerRun& peer) {
  PeerNumbers numbers;
  if (!peer.series) return numbers;
  numbers.us = peer.series->median_us;
  if (!run.resident) numbers.tbs = bandwidth(run.cold_bytes, {peer.series->median_us}).value;
  if (run.row_series.median_us > 0) numbers.ratio = peer.series->median_us / run.row_series.median_us;
  return numbers;
}

std::vector<std::pair<std::string, int>> missing_peers(const std::vector<RowRun>& runs) {
  std::vector<std::pair<std::string, int>> missing;
  for (const RowRun& run : runs) {
    for (const PeerRun& peer : run.peers) {
      if (measured(peer)) continue;
      const std::string line = peer.name + ": " + peer.reason;
      const auto known =
          std::find_if(missing.begin(), missing.end(), [&](const auto& m) { return m.first == line; });
      if (known == missing.end()) {
        missing.emplace_back(line, 1);
      } else {
        ++known->second;
      }
    }
  }
  return missing;
}

std::string peers_text(const std::vector<RowRun>& runs) {
  std::string text;
  for (const RowRun& run : runs) {
    if (std::none_of(run.peers.begin(), run.peers.end(), measured)) continue;
    text += run.row + "\n" + own_line(run);
    for (const PeerRun& peer : run.peers) {
      if (measured(peer)) text += peer_line(run, peer);
    }
  }
  if (!text.empty()) {
    text = left("peers, in the same rounds", name_width) + right("us/call", 8) + right("TB/s", 7) +
           right("/ ours", 8) + "\n" + text;
  }
  for (const auto& [line, rows] : missing_peers(runs))
    text += wrap("no peer " + line + " (" + std::to_string(rows) + (rows == 1 ? " row)" : " rows)"));
  return text.empty() ? text : "\n" + text;
}

}  // namespace census
