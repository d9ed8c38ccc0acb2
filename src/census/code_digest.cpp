// SPDX-License-Identifier: MIT
#include <census/code_digest.hpp>
#include <census/sha256.hpp>
#include <census/units.hpp>

#include <algorithm>

namespace census {
namespace {

std::string extent(const char* name, const int (&size)[3]) {
  return std::string(" ") + name + " " + std::to_string(size[0]) + "x" + std::to_string(size[1]) + "x" +
         std::to_string(size[2]);
}

std::string line_of(const LaunchedKernel& kernel) {
  return "kernel " + *kernel.code_sha256 + extent("grid", kernel.grid) + extent("block", kernel.block) +
         extent("cluster", kernel.cluster) + " registers " + std::to_string(kernel.registers) + " static " +
         std::to_string(kernel.static_shared_bytes) + " dynamic " +
         std::to_string(kernel.dynamic_shared_bytes) + " local " + std::to_string(kernel.spill_bytes) +
         " per launch " + format_shortest(kernel.per_launch) + " attributes " + kernel.attributes + "\n";
}

}  // namespace

KernelCode code_digest(const std::vector<LaunchedKernel>& kernels, const LaunchSettings& settings) {
  if (kernels.empty()) return {std::nullopt, "the launched kernels are not known"};
  std::vector<std::string> lines;
  for (const LaunchedKernel& kernel : kernels) {
    if (!kernel.code_sha256) return {std::nullopt, "kernel " + kernel.name + ": " + kernel.code_reason};
    lines.push_back(line_of(kernel));
  }
  std::sort(lines.begin(), lines.end());
  // The first line changes whenever what is hashed, or how, does: digests of two recipes are never equal.
  std::string text = "code digest 1\narm " + settings.arm + "\nweight layout " +
                     std::to_string(settings.weight_layout) + "\ntuning " + settings.tuning + "\nplant " +
                     format_shortest(settings.plant_percent) + "\n";
  for (const std::string& line : lines) text += line;
  return {sha256(text), ""};
}

}  // namespace census
