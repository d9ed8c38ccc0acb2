// SPDX-License-Identifier: MIT
// The fields of the records inside a result file: device, build, telemetry, kernels, series.
#pragma once

#include <census/json_io_fields.hpp>
#include <census/telemetry.hpp>

namespace census::json {

template <class Archive, Same<Device> S>
void describe(Archive& a, S& s) {
  a("backend", s.backend);
  a("index", s.index);
  a("uuid", s.uuid);
  a("name", s.name);
  a("pci_device_id", s.pci_device_id);
  a("sm_count", s.sm_count);
  a("memory_bytes", s.memory);
  a("bus_width_bits", s.bus_width_bits);
  a("mig_profile", s.mig_profile);
  a("ecc", s.ecc);
  a("power_cap_percent", s.power_cap_percent);
  a("driver", s.driver);
  a("runtime", s.runtime);
  a("capability", s.capability);
  a("memory_clock_mhz", s.memory_clock_mhz);
  a("last_level_cache_bytes", s.last_level_cache);
  a("shared_memory_per_sm_bytes", s.shared_memory_per_sm_bytes);
  a("max_threads_per_sm", s.max_threads_per_sm);
}

template <class Archive, Same<Build> S>
void describe(Archive& a, S& s) {
  a("version", s.version);
  a("commit", s.commit);
  a("dirty", s.dirty);
  a("compiler", s.compiler);
  a("cuda", s.cuda);
  a("type", s.type);
}

template <class Archive, Same<ForeignProcess> S>
void describe(Archive& a, S& s) {
  a("pid", s.pid);
  a("name", s.name);
  a("kind", s.kind);
  a("memory_bytes", s.memory);
}

template <class Archive, Same<Snapshot> S>
void describe(Archive& a, S& s) {
  a("sm_clock_mhz", s.sm_clock_mhz);
  a("memory_clock_mhz", s.memory_clock_mhz);
  a("throttle_reasons", s.throttle_reasons);
  a("power_w", s.power_w);
  a("temperature_c", s.temperature_c);
  a("utilisation_percent", s.utilisation_percent);
  a("memory_used_bytes", s.memory_used);
  a("device_lost", s.device_lost);
  a("processes", s.processes);
}

/// Three numbers x, y, z as a list.
template <class Archive, class T>
void describe_extent(Archive& a, const char* name, T& extent) {
  std::vector<int> values(extent, extent + 3);
  a(name, values);
  if constexpr (!std::is_const_v<std::remove_reference_t<decltype(extent[0])>>) {
    for (std::size_t i = 0; i < 3 && i < values.size(); ++i) extent[i] = values[i];
  }
}

template <class Archive, Same<LaunchedKernel> S>
void describe(Archive& a, S& s) {
  a("name", s.name);
  describe_extent(a, "grid", s.grid);
  describe_extent(a, "block", s.block);
  describe_extent(a, "cluster", s.cluster);
  a("registers", s.registers);
  a("static_shared_bytes", s.static_shared_bytes);
  a("dynamic_shared_bytes", s.dynamic_shared_bytes);
  a("spill_bytes", s.spill_bytes);
  a("blocks_per_sm", s.blocks_per_sm);
  a("per_launch", s.per_launch);
  a("attributes", s.attributes);
  a("code_sha256", s.code_sha256);
  a("code_reason", s.code_reason);
}

template <class Archive, Same<Series> S>
void describe(Archive& a, S& s) {
  a("median_us", s.median_us);
  a("q1_us", s.q1_us);
  a("q3_us", s.q3_us);
  a("samples_us", s.samples_us);
}

template <class Archive, Same<PeerRun> S>
void describe(Archive& a, S& s) {
  a("name", s.name);
  a("call", s.call);
  a("series", s.series);
  a("reason", s.reason);
  a("kernels", s.kernels);
}

template <class Archive, Same<Plant> S>
void describe(Archive& a, S& s) {
  a("requested_percent", s.requested_percent);
  a.any_sign("achieved_percent", s.achieved_percent);
  a("bytes_per_launch", s.bytes_per_launch);
}

template <class Archive, Same<Waiver> S>
void describe(Archive& a, S& s) {
  a("row", s.row);
  a.may("device", s.device);
  a("owner", s.owner);
  a("reason", s.reason);
  a("date", s.date);
  a("until", s.until);
}

template <class Archive, Same<std::pair<std::string, double>> S>
void describe(Archive& a, S& s) {
  a("phase", s.first);
  a("seconds", s.second);
}

}  // namespace census::json
