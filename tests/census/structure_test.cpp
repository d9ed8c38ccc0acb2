// SPDX-License-Identifier: MIT
// The shape of the source tree: who may include what, how long a file may be, what its first line is.
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

constexpr std::size_t most_lines = 400;

/// A file of ours: its path from the top of the tree, with '/', and its lines.
struct Source {
  std::string path;
  std::vector<std::string> lines;
};

Source source_of(std::string path, const std::string& text) {
  Source source{.path = std::move(path), .lines = {}};
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) source.lines.push_back(line);
  return source;
}

bool matches(const std::string& text, const char* pattern) {
  return std::regex_search(text, std::regex(pattern));
}

/// An include that `includes` matches is allowed only in files that `allowed_in` matches, and looked for only
/// in files that `of` matches.
struct IncludeRule {
  const char* of;
  const char* includes;
  const char* allowed_in;
  const char* because;
};

/// Names of the public headers: what a client's kernels may see.
constexpr const char* other_than_public =
    R"(^<census/(?!(build|census|cuda|error|kernel_case|run|units)\.hpp>))";
constexpr const char* nowhere = "^$";

/// Tests may include anything, so that every rule is about src and kernels.
const std::vector<IncludeRule>& include_rules() {
  static const std::vector<IncludeRule> rules{
      {"^(src|kernels)/", "^<boost/", R"(^src/census/cli(\.cpp|_options\.[ch]pp)$)",
       "Boost is only for the command line"},
      {"^(src|kernels)/", "^<nlohmann/", R"(^src/census/json_io\w*\.(cpp|hpp)$)",
       "JSON is read and written only in json_io"},
      {"^src/", R"(^<(census/cuda\.hpp|cuda\w*(\.h|/.*)|cooperative_groups.*|driver_types\.h)>)",
       R"(^src/census/(\w+_)?cuda(_\w+)?\.\w+$)", "files that need CUDA have it in their names"},
      {"^kernels/", R"(^<(census/cuda\.hpp|cuda\w*(\.h|/.*)|cooperative_groups.*|driver_types\.h)>)",
       R"(\.cuh?$)", "kernels need CUDA only in .cu and .cuh files"},
      {"^(src|kernels)/", R"(^<(nvml|cublas\w*)\.h>)", nowhere,
       "NVML and cuBLAS are opened at run time by own declarations"},
      {R"(^src/census/(judge|stats|baseline|units)(_\w+)?\.)", R"(^(".*|<(?!census/).*[./].*)$)", nowhere,
       "judge, stats, baseline and units need nothing but the standard library"},
      {R"(^src/census/(judge|stats|baseline|units)(_\w+)?\.)",
       R"(^<census/(?!(judge|stats|baseline|units)(_\w+)?\.hpp>))", nowhere,
       "judge, stats, baseline and units need nothing but each other"},
      {"^kernels/", other_than_public, nowhere, "kernels see only the public headers"},
      {R"(^src/census/(build|census|cuda|error|kernel_case|run|units)\.hpp$)", other_than_public, nowhere,
       "a public header needs only public headers"},
      {"^src/", R"(^["<](\.\./)*kernels/)", nowhere, "the library knows no kernel"},
  };
  return rules;
}

/// "<census/judge.hpp>" of a line that includes it, else "".
std::string include_of(const std::string& line) {
  static const std::regex include(R"(^\s*#\s*include\s*(<[^>]+>|"[^"]+"))");
  std::smatch found;
  return std::regex_search(line, found, include) ? found[1].str() : "";
}

std::vector<std::string> include_violations(const Source& source) {
  std::vector<std::string> violations;
  for (const IncludeRule& rule : include_rules()) {
    if (!matches(source.path, rule.of) || matches(source.path, rule.allowed_in)) continue;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string include = include_of(source.lines[i]);
      if (include.empty() || !matches(include, rule.includes)) continue;
      violations.push_back(source.path + ":" + std::to_string(i + 1) + " includes " + include + ": " +
                           rule.because);
    }
  }
  return violations;
}

std::vector<std::string> form_violations(const Source& source) {
  std::vector<std::string> violations;
  if (source.lines.empty() || source.lines[0] != "// SPDX-License-Identifier: MIT") {
    violations.push_back(source.path + ":1 must be \"// SPDX-License-Identifier: MIT\"");
  }
  if (source.lines.size() > most_lines) {
    violations.push_back(source.path + " has " + std::to_string(source.lines.size()) + " lines, more than " +
                         std::to_string(most_lines) + ": split it by idea");
  }
  const bool header = source.path.ends_with(".hpp") || source.path.ends_with(".cuh");
  const bool guarded =
      std::find(source.lines.begin(), source.lines.end(), "#pragma once") != source.lines.end();
  if (header && !guarded) violations.push_back(source.path + " has no #pragma once");
  return violations;
}

std::vector<Source> all_sources() {
  static const std::set<std::string> extensions{".cpp", ".hpp", ".cu", ".cuh"};
  const fs::path top = PROJECT_SOURCE_DIR;
  std::vector<Source> sources;
  for (const char* directory : {"src", "kernels", "tests"}) {
    for (const auto& entry : fs::recursive_directory_iterator(top / directory)) {
      if (!entry.is_regular_file() || !extensions.contains(entry.path().extension().string())) continue;
      std::ostringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      sources.push_back(source_of(entry.path().lexically_relative(top).generic_string(), text.str()));
    }
  }
  return sources;
}

TEST(Structure, OfTheTreeFollowsTheIncludeRules) {
  std::vector<std::string> violations;
  for (const Source& source : all_sources()) {
    for (std::string& violation : include_violations(source)) violations.push_back(std::move(violation));
  }
  EXPECT_THAT(violations, IsEmpty());
}

TEST(Structure, OfEveryFileIsInForm) {
  std::vector<std::string> violations;
  for (const Source& source : all_sources()) {
    for (std::string& violation : form_violations(source)) violations.push_back(std::move(violation));
  }
  EXPECT_THAT(violations, IsEmpty());
}

TEST(Structure, IsLookedAtInEveryDirectory) {
  std::set<std::string> seen;
  for (const Source& source : all_sources()) seen.insert(source.path);
  for (const char* path : {"src/census/judge.cpp", "src/census/cuda.hpp", "kernels/census.cpp",
                           "tests/census/structure_test.cpp"}) {
    EXPECT_TRUE(seen.contains(path)) << path;
  }
}

/// A file that breaks one rule, and its neighbour that does not.
struct Breach {
  const char* path;
  const char* include;
  const char* because;
};

class IncludeRules : public ::testing::TestWithParam<Breach> {};

TEST_P(IncludeRules, FindABreach) {
  const std::string text =
      "// SPDX-License-Identifier: MIT\n#include " + std::string(GetParam().include) + "\n";
  const auto violations = include_violations(source_of(GetParam().path, text));
  EXPECT_THAT(violations, ElementsAre(HasSubstr(GetParam().because)));
}

INSTANTIATE_TEST_SUITE_P(
    Each, IncludeRules,
    ::testing::Values(Breach{"src/census/run.cpp", "<boost/program_options.hpp>",
                             "Boost is only for the command line"},
                      Breach{"src/census/result.cpp", "<nlohmann/json.hpp>", "only in json_io"},
                      Breach{"src/census/run.cpp", "<cuda_runtime.h>", "have it in their names"},
                      Breach{"src/census/platform.cpp", "<census/cuda.hpp>", "have it in their names"},
                      Breach{"kernels/norm/norm.cpp", "<cuda_bf16.h>", "only in .cu"},
                      Breach{"kernels/norm/norm_reference.cpp", "<census/cuda.hpp>", "only in .cu"},
                      Breach{"src/census/nvml.cpp", "<nvml.h>", "opened at run time"},
                      Breach{"kernels/peers/peers_cuda.cu", "<cublas_v2.h>", "opened at run time"},
                      Breach{"src/census/stats.cpp", "<unistd.h>", "nothing but the standard library"},
                      Breach{"src/census/judge_time.cpp", "<gsl/span>", "nothing but the standard library"},
                      Breach{"src/census/judge.hpp", "<census/device.hpp>", "nothing but each other"},
                      Breach{"src/census/baseline.cpp", "<census/json_io.hpp>", "nothing but each other"},
                      Breach{"kernels/norm/norm_cuda.cu", "<census/measure.hpp>", "only the public headers"},
                      Breach{"src/census/run.hpp", "<census/judge.hpp>", "needs only public headers"},
                      Breach{"src/census/gate.cpp", "<kernels/census.hpp>", "knows no kernel"},
                      Breach{"src/census/gate.cpp", "\"../kernels/census.hpp\"", "knows no kernel"}));

class AllowedIncludes : public ::testing::TestWithParam<Breach> {};

TEST_P(AllowedIncludes, AreNoBreach) {
  const auto violations =
      include_violations(source_of(GetParam().path, "#include " + std::string(GetParam().include)));
  EXPECT_THAT(violations, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Each, AllowedIncludes,
                         ::testing::Values(Breach{"src/census/cli.cpp", "<boost/program_options.hpp>", ""},
                                           Breach{"src/census/json_io_result.cpp", "<nlohmann/json.hpp>", ""},
                                           Breach{"src/census/cuda.hpp", "<cuda_runtime.h>", ""},
                                           Breach{"src/census/probe_cuda.cu", "<census/cuda.hpp>", ""},
                                           Breach{"kernels/norm/norm_cuda.cu", "<cuda_bf16.h>", ""},
                                           Breach{"kernels/norm/norm_cuda.cu", "<census/kernel_case.hpp>",
                                                  ""},
                                           Breach{"src/census/judge.hpp", "<census/baseline.hpp>", ""},
                                           Breach{"src/census/judge.cpp", "<optional>", ""},
                                           Breach{"tests/kernels/norm_test.cpp", "<cuda_fp8.h>", ""}));

TEST(FormRules, FindAMissingLicence) {
  EXPECT_THAT(form_violations(source_of("src/a.cpp", "int a;\n")), ElementsAre(HasSubstr("SPDX")));
}

TEST(FormRules, FindAnEmptyFile) {
  EXPECT_THAT(form_violations(source_of("src/a.cpp", "")), ElementsAre(HasSubstr("SPDX")));
}

TEST(FormRules, FindAFileOf401Lines) {
  std::string text = "// SPDX-License-Identifier: MIT\n";
  for (int line = 2; line <= 400; ++line) text += "\n";
  EXPECT_THAT(form_violations(source_of("src/a.cpp", text)), IsEmpty());
  EXPECT_THAT(form_violations(source_of("src/a.cpp", text + "\n")), ElementsAre(HasSubstr("401 lines")));
}

TEST(FormRules, FindAHeaderWithoutGuard) {
  EXPECT_THAT(form_violations(source_of("src/a.hpp", "// SPDX-License-Identifier: MIT\n")),
              ElementsAre(HasSubstr("#pragma once")));
}

}  // namespace
