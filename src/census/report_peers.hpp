// SPDX-License-Identifier: MIT
// What --peers adds to the census table.
#pragma once

#include <census/result.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace census {

/// A peer's numbers against the row's own.
struct PeerNumbers {
  std::optional<double> us, tbs;
  std::optional<double> ratio;  ///< the peer's time / the row's: above 1 the row is faster
};
[[nodiscard]] PeerNumbers peer_numbers(const RowRun& run, const PeerRun& peer);

/// Every peer that was not measured: "name: reason", and of how many rows that is true, each once.
[[nodiscard]] std::vector<std::pair<std::string, int>> missing_peers(const std::vector<RowRun>& runs);

/// The section of the table's page; "" where no row has a peer.
[[nodiscard]] std::string peers_text(const std::vector<RowRun>& runs);

}  // namespace census
