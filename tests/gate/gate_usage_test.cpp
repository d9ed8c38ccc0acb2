// SPDX-License-Identifier: MIT
// What a user mistypes, and the pages that only read: exit 2 with one line, or the page.
#include "fake_run.hpp"

namespace gate_test {
namespace {

/// Runs it and expects exit 2 with one line on stderr that contains `text`.
void expect_usage_error(const std::string& arguments, const std::string& text,
                        const std::string& variables = "") {
  const FakeRun fake;
  const auto ended = fake.run(arguments, variables);
  EXPECT_EQ(ended.code, 2) << arguments;
  EXPECT_THAT(ended.output, HasSubstr(text));
  EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
}

TEST(GateUsage, UnknownSubcommandNamesTheNearest) {
  expect_usage_error("jugde", "nearest: judge");
}
TEST(GateUsage, UnknownOptionNamesTheNearest) {
  expect_usage_error("list --rows x", "nearest: --row");
}
TEST(GateUsage, OptionOfAnotherCommandIsUnknown) {
  expect_usage_error("list --reps 5", "--reps");
}
TEST(GateUsage, GlobThatMatchesNothingNamesTheNearest) {
  expect_usage_error("gate --row fake.onne", "nearest: fake.one");
}
TEST(GateUsage, UnknownPlanNamesTheNearest) {
  expect_usage_error("run --plan tokne", "nearest: token");
}
TEST(GateUsage, UnknownBackendNamesThem) {
  expect_usage_error("list --backend hip", "cuda, cpu");
}
TEST(GateUsage, PlantWithoutAPercentageIsRefused) {
  expect_usage_error("run --plant fake.one", "GLOB=PERCENT");
}
TEST(GateUsage, PlantOnNoRowIsRefused) {
  expect_usage_error("gate", "fake.one", "CENSUS_PLANT=fake.onne=5");
}
TEST(GateUsage, VariableIsNamedInItsError) {
  expect_usage_error("gate", "CENSUS_STRICT", "CENSUS_STRICT=yes");
}
TEST(GateUsage, RequiredBackendMustExist) {
  expect_usage_error("gate", "CENSUS_REQUIRE", "CENSUS_REQUIRE=gpu");
}
TEST(GateUsage, RepetitionsMustBeANumber) {
  expect_usage_error("--reps many", "--reps \"many\"");
}
TEST(GateUsage, NoRowsIsAnError) {
  expect_usage_error("gate", "no rows selected", "FAKE_NO_ROWS=1");
}
TEST(GateUsage, MeasureWithoutAFileIsRefused) {
  expect_usage_error("measure", "-o FILE");
}
TEST(GateUsage, MissingResultFileIsNamed) {
  expect_usage_error("judge nowhere.json", "nowhere.json");
}
TEST(GateUsage, GpuThatIsNotHereIsNamed) {
  expect_usage_error("gate --row fake.one", "gpu_other", "CTEST_RESOURCE_GROUP_0_GPUS=id:gpu_other,slots:1");
}

TEST(GateUsage, GpuThatCtestGaveIsFoundByItsRewrittenUuid) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.gate("fake.one", "", "CTEST_RESOURCE_GROUP_0_GPUS=id:gpu_fake_0001,slots:1");
  EXPECT_EQ(ended.code, 0) << ended.output;
}

TEST(GateUsage, ListIsJsonForTheBuild) {
  const FakeRun fake;
  const auto ended = fake.run("list --format json");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, HasSubstr("{\"id\": \"fake.three\", \"backend\": \"cpu\", \"resident\": false"));
}

TEST(GateUsage, ResourceSpecificationHasOnePseudoGpuWhereThereIsNone) {
  const FakeRun fake;
  fake.script("none cuda no driver\n");
  EXPECT_EQ(fake.run("resource-spec").output,
            "{\"version\": {\"major\": 1, \"minor\": 0}, \"local\": [{\"gpus\": [{\"id\": \"none\", "
            "\"slots\": 1}]}]}\n");
}

TEST(GateUsage, TableAddsUpTheToken) {
  const FakeRun fake;
  const auto ended = fake.run("--backend cuda --plan token");
  EXPECT_EQ(ended.code, 0) << ended.output;
  // Two rows of 10 us, 10 calls each; the CPU's row is part of the plan and not measured here.
  EXPECT_THAT(ended.output, AllOf(HasSubstr("measured, ms"), HasSubstr("0.200"), HasSubstr("fake.three")));
}

TEST(GateUsage, HelpDocumentsTheExitCodes) {
  const FakeRun fake;
  const auto ended = fake.run("gate --help");
  EXPECT_EQ(ended.code, 0);
  EXPECT_THAT(ended.output, AllOf(HasSubstr("77"), HasSubstr("no_baseline"), HasSubstr("CENSUS_PLANT")));
}

TEST(GateUsage, ExplainKnowsEveryVerdict) {
  const FakeRun fake;
  EXPECT_THAT(fake.run("explain environment").output, HasSubstr("throttled"));
  EXPECT_EQ(fake.run("explain").code, 0);
}

TEST(GateUsage, DoctorSaysWhichBaselineMatches) {
  const FakeRun fake;
  write_baseline(fake);
  const auto ended = fake.run("doctor");
  EXPECT_EQ(ended.code, 0) << ended.output;
  EXPECT_THAT(ended.output, AllOf(HasSubstr("fake-gpu.json matches: 2 rows"), HasSubstr("lock: free"),
                                  HasSubstr("waivers: none in")));
}

TEST(GateUsage, DoctorSaysThatSomebodyElseKeepsTheDeviceBusy) {
  const FakeRun fake;
  fake.script("busy 98\n");
  EXPECT_THAT(fake.run("doctor --format json").output,
              AllOf(HasSubstr("\"verdict\": \"environment\""), HasSubstr("98 % busy")));
  EXPECT_EQ(fake.run("doctor --format markdown").code, 2);
}

TEST(GateUsage, EveryPageFitsEightyColumns) {
  const FakeRun fake;
  write_baseline(fake);
  for (const char* page :
       {"--help", "gate --help", "explain", "doctor", "list", "--backend cuda", "gate --pause 0"}) {
    std::istringstream lines(fake.run(page).output);
    for (std::string line; std::getline(lines, line);) {
      // A path has no place to break.
      EXPECT_TRUE(line.size() <= 80 || line.find('/') != std::string::npos) << page << ": " << line;
    }
  }
}

}  // namespace
}  // namespace gate_test
