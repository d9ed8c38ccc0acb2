// SPDX-License-Identifier: MIT
// The chosen experts' matrices times their activations for one token, with NVFP4 weights and x quantised to
// q8_1 beforehand: no activation function, no routing weight, no sum over experts.
#pragma once

#include "formats/nvfp4.hpp"
#include "row.hpp"
#include <census/kernel_case.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kernels {

inline constexpr int bank_experts = 288;
inline constexpr int chosen_experts = 8;

/// Each expert has `matrices` matrices of [rows, columns], row-major; a bank holds [matrices][288 experts],
/// as GGUF keeps one tensor for each matrix. Output [8 chosen][matrices][rows].
struct Nvfp4ExpertsShape {
  int matrices = 1;  ///< 2: gate and up
  int rows = 0;      ///< of one matrix
  int columns = 0;
  bool x_per_expert =
      false;  ///< whether each chosen expert has an x of its own, [8][columns], or all share one
};

/// Throws census::UsageError naming the row and the value unless matrices is 1 or 2, rows > 0 and columns is
/// a positive multiple of 64.
void check_shape(const std::string& id, const Nvfp4ExpertsShape& shape);

/// Throws census::UsageError naming the row and the value unless there are 8 different experts of 0..287.
void check_experts(const std::string& id, std::span<const int> experts);

/// Throws census::UsageError naming the row, the block and the byte where a scale is E4M3's NaN or carries a
/// sign.
void check_scales(const std::string& id, std::span<const Nvfp4Block> blocks);

/// A copy is a list of 8 experts, disjoint from the other lists of its bank, of which there are 36: copy c
/// reads list c mod 36 of bank c / 36.
inline constexpr int lists_of_bank = bank_experts / chosen_experts;

/// The experts that copy `copy` reads: entries 8 l .. 8 l + 7, l the copy's list, of the bank's permutation.
/// That is made from 0..287 by exchanging entry i with entry below(i + 1, u(i)) for i = 287, ..., 1, u of
/// buffer "experts" and copy number = bank.
[[nodiscard]] std::vector<int> expert_list(const std::string& id, int copy, std::uint64_t user_seed);

/// Weights of one matrix of one expert of a bank: buffer "w<matrix>.<expert>" and copy number = bank.
[[nodiscard]] std::uint64_t expert_seed(const std::string& id, int matrix, int expert, int bank,
                                        std::uint64_t user_seed);

/// The tensor scales of a bank, [matrices][288]: buffer "tensor_scale" and copy number = bank.
[[nodiscard]] std::vector<float> tensor_scales(const std::string& id, int matrices, int bank,
                                               std::uint64_t user_seed);

/// The row of the census.
[[nodiscard]] census::KernelCase nvfp4_experts(census::Backend backend, const Row& row,
                                               const Nvfp4ExpertsShape& shape);

// What it is put together from, one per file. Activations: buffer "x", [8][columns] or [columns] f32 elements
// that the host quantises.

/// Throws census::UsageError naming the row when the kernel is not built for `shape`.
[[nodiscard]] std::unique_ptr<census::Instance> make_nvfp4_experts_cuda(
    const std::string& id, const Nvfp4ExpertsShape& shape, const census::InstanceRequest& request);
[[nodiscard]] std::unique_ptr<census::Instance> make_nvfp4_experts_cpu(
    const std::string& id, const Nvfp4ExpertsShape& shape, const census::InstanceRequest& request);
/// y of copy `copy` as the order contract writes it, from inputs that it makes itself.
[[nodiscard]] std::vector<float> nvfp4_experts_reference(const std::string& id,
                                                         const Nvfp4ExpertsShape& shape, int copy,
                                                         std::uint64_t user_seed);

}  // namespace kernels
