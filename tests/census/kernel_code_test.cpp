// SPDX-License-Identifier: MIT
// The fatbinaries under test are this executable's own, made by the compiler from kernel_code_*.cu.
#include <census/kernel_code.hpp>
#include <census/loaded_code.hpp>

#include <gmock/gmock.h>

#include <cstring>

namespace census {
namespace {

using ::testing::HasSubstr;

constexpr int architecture = TEST_ARCHITECTURE;

class KernelCodeTest : public ::testing::Test {
 protected:
  [[nodiscard]] CodeBytes fatbinaries() const { return fatbinaries_of(executable_.bytes()); }
  [[nodiscard]] std::vector<std::byte> copy() const {
    const auto bytes = fatbinaries().span();
    return {bytes.begin(), bytes.end()};
  }
  [[nodiscard]] std::string digest(const char* name) const {
    const KernelCode code = kernel_code(fatbinaries(), name, architecture);
    return code.sha256.value_or(std::string(name) + ": " + code.reason);
  }

 private:
  MappedFile executable_{"/proc/self/exe"};
};

/// Sets the bit that marks an entry as compressed in every entry.
void mark_compressed(std::vector<std::byte>& bytes) {
  const CodeBytes view{bytes};
  for (std::uint64_t at = 0; at + 16 <= view.size();) {
    if (view.number(at, 4) != 0xba55ed50) {
      at += 8;
      continue;
    }
    const std::uint64_t end = at + 16 + view.number(at + 8, 8);
    for (at += 16; at < end;) {
      const std::uint64_t next = at + view.number(at + 4, 4) + view.number(at + 8, 8);
      bytes[at + 41] |= std::byte{0x80};
      at = next;
    }
  }
}

TEST_F(KernelCodeTest, IsEqualForTheSameCodeInAnotherFileUnderAnotherName) {
  for (const char* kernel : {"double", "constant", "call"}) {
    const std::string one = digest((std::string(kernel) + "_one").c_str());
    EXPECT_EQ(one.size(), 64U) << one;
    EXPECT_EQ(one, digest((std::string(kernel) + "_same").c_str()));
  }
}

TEST_F(KernelCodeTest, DiffersWithTheInstructions) {
  EXPECT_NE(digest("double_one"), digest("triple_one"));
}

TEST_F(KernelCodeTest, DiffersWithAConstantThatTheModuleHolds) {
  EXPECT_NE(digest("constant_one"), digest("constant_other"));
}

TEST_F(KernelCodeTest, DiffersWithAFunctionThatIsCalled) {
  EXPECT_NE(digest("call_one"), digest("call_body"));
}

TEST_F(KernelCodeTest, IsUnknownForAKernelThatIsNotThere) {
  const KernelCode code = kernel_code(fatbinaries(), "double_nowhere", architecture);
  EXPECT_FALSE(code.sha256);
  EXPECT_THAT(code.reason, HasSubstr("no machine code for sm_"));
}

TEST_F(KernelCodeTest, IsUnknownWhereTheDriverCompiledPtx) {
  const KernelCode code = kernel_code(fatbinaries(), "double_one", 42);
  EXPECT_FALSE(code.sha256);
  EXPECT_THAT(code.reason, HasSubstr("no machine code for sm_42, so the driver compiled PTX"));
}

TEST_F(KernelCodeTest, IsUnknownWhereTheCodeIsCompressed) {
  std::vector<std::byte> bytes = copy();
  mark_compressed(bytes);
  const KernelCode code = kernel_code(CodeBytes(bytes), "double_one", architecture);
  EXPECT_FALSE(code.sha256);
  EXPECT_THAT(code.reason, HasSubstr("nvcc --no-compress"));
}

TEST_F(KernelCodeTest, TakesOneOfTwoEqualCopiesButNotOneOfTwoThatDiffer) {
  std::vector<std::byte> bytes = copy();
  const std::vector<std::byte> again = copy();
  bytes.insert(bytes.end(), again.begin(), again.end());
  EXPECT_EQ(kernel_code(CodeBytes(bytes), "double_one", architecture).sha256, digest("double_one"));

  // In the second copy the kernels double_one and triple_one change their names.
  const std::string_view first = "double_one", second = "triple_one";
  auto* text = reinterpret_cast<char*>(bytes.data());
  for (std::size_t at = again.size(); at + first.size() <= bytes.size(); ++at) {
    const std::string_view here(text + at, first.size());
    if (here == first)
      std::memcpy(text + at, second.data(), second.size());
    else if (here == second)
      std::memcpy(text + at, first.data(), first.size());
  }
  const KernelCode two = kernel_code(CodeBytes(bytes), "double_one", architecture);
  EXPECT_FALSE(two.sha256);
  EXPECT_THAT(two.reason, HasSubstr("several kernels of that name"));
}

TEST_F(KernelCodeTest, NeverReadsBeyondATruncatedFatbinary) {
  const CodeBytes whole = fatbinaries();
  const std::string known = digest("double_one");
  for (std::uint64_t size = 0; size < whole.size(); size += 61) {
    const KernelCode code = kernel_code(whole.slice(0, size), "double_one", architecture);
    if (code.sha256) {
      EXPECT_EQ(*code.sha256, known) << size;
    } else {
      EXPECT_FALSE(code.reason.empty()) << size;
    }
  }
}

TEST_F(KernelCodeTest, SurvivesAnyDamagedByte) {
  std::vector<std::byte> bytes = copy();
  for (std::size_t at = 0; at < bytes.size(); at += 31) {
    const std::byte kept = std::exchange(bytes[at], std::byte{0xff});
    const KernelCode code = kernel_code(CodeBytes(bytes), "double_one", architecture);
    EXPECT_TRUE(code.sha256 || !code.reason.empty()) << at;
    bytes[at] = kept;
  }
}

TEST_F(KernelCodeTest, FindsTheCodeThatThisProcessHasLoaded) {
  EXPECT_EQ(loaded_kernel_code("call_one", architecture).sha256, digest("call_one"));
  EXPECT_FALSE(loaded_kernel_code("nowhere", architecture).sha256);
}

TEST_F(KernelCodeTest, IsUnknownWhereTheDriverIsToldToCompilePtx) {
  ::setenv("CUDA_FORCE_PTX_JIT", "1", 1);
  const KernelCode code = loaded_kernel_code("call_one", architecture);
  ::unsetenv("CUDA_FORCE_PTX_JIT");
  EXPECT_THAT(code.reason, HasSubstr("CUDA_FORCE_PTX_JIT is set"));
}

}  // namespace
}  // namespace census
