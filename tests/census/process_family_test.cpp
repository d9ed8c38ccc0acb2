// SPDX-License-Identifier: MIT
#include <census/process_family.hpp>

#include <gmock/gmock.h>

#include <map>

namespace census {
namespace {

// init 1 <- shell 10 <- gate 20 <- {we 30, sibling 31}; foreign 40 under init.
ProcessTable table(const std::string& parent_executable = "/bin/census") {
  static const std::map<std::int64_t, std::int64_t> parents{{1, 0},   {10, 1},  {20, 10},
                                                            {30, 20}, {31, 20}, {40, 1}};
  ProcessTable result;
  result.self = 30;
  result.parent = [](std::int64_t pid) -> std::optional<std::int64_t> {
    const auto found = parents.find(pid);
    if (found == parents.end()) return std::nullopt;
    return found->second;
  };
  result.name = [](std::int64_t pid) { return parents.contains(pid) ? "process" + std::to_string(pid) : ""; };
  result.executable = [parent_executable](std::int64_t pid) {
    return pid == 20 ? parent_executable : "/bin/census";
  };
  return result;
}

std::vector<ForeignProcess> listed(std::initializer_list<std::int64_t> pids) {
  std::vector<ForeignProcess> result;
  for (const std::int64_t pid : pids) result.push_back({pid, "", "compute", Bytes{}});
  return result;
}

std::vector<std::int64_t> pids(const std::vector<ForeignProcess>& processes) {
  std::vector<std::int64_t> result;
  for (const ForeignProcess& process : processes) result.push_back(process.pid);
  return result;
}

TEST(ProcessFamily, LeavesOutThisProcessAndItsAncestors) {
  ForeignProcessFilter filter(table());
  EXPECT_THAT(pids(filter.foreign(listed({30, 20, 10, 40}))), testing::ElementsAre(40));
}

TEST(ProcessFamily, LeavesOutOtherChildrenOfTheSameGate) {
  ForeignProcessFilter filter(table());
  EXPECT_THAT(filter.foreign(listed({31})), testing::IsEmpty());
}

TEST(ProcessFamily, KeepsSiblingsUnderAnotherProgram) {
  ForeignProcessFilter filter(table("/bin/bash"));
  EXPECT_THAT(pids(filter.foreign(listed({31}))), testing::ElementsAre(31));
}

TEST(ProcessFamily, NamesEachForeignProcessOnce) {
  ForeignProcessFilter filter(table());
  const auto foreign = filter.foreign(listed({40, 40}));
  ASSERT_EQ(foreign.size(), 1U);
  EXPECT_EQ(foreign[0].name, "process40");
}

TEST(ProcessFamily, TakesTheFirstNewInvisiblePidForOursInAnotherNamespace) {
  ForeignProcessFilter filter(table());
  EXPECT_THAT(pids(filter.foreign(listed({9001}))), testing::ElementsAre(9001));
  EXPECT_THAT(pids(filter.foreign(listed({9001, 9002}))), testing::ElementsAre(9001));
  EXPECT_THAT(pids(filter.foreign(listed({9001, 9002, 9003}))), testing::ElementsAre(9001, 9003));
}

TEST(ProcessFamily, KeepsNewInvisiblePidsWhereOursIsListed) {
  ForeignProcessFilter filter(table());
  EXPECT_THAT(filter.foreign({}), testing::IsEmpty());
  EXPECT_THAT(pids(filter.foreign(listed({30, 9002}))), testing::ElementsAre(9002));
}

TEST(ProcessFamily, ReadsThisProcessFromProc) {
  const ProcessTable proc = proc_table();
  EXPECT_TRUE(proc.parent(proc.self).has_value());
  EXPECT_THAT(proc.executable(proc.self), testing::HasSubstr("process_family_test"));
  EXPECT_EQ(proc.parent(-1), std::nullopt);
}

}  // namespace
}  // namespace census
