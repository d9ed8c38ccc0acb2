// SPDX-License-Identifier: MIT
#include <census/text.hpp>

#include <gmock/gmock.h>

namespace census {
namespace {

TEST(Plain, ReplacesWhatCtestCouldTakeForAMeasurement) {
  EXPECT_EQ(plain("a<b>&c"), "a[b>+c");
}
TEST(Plain, ReadsAComparisonAloud) {
  EXPECT_EQ(plain("0.40 < 0.45"), "0.40 below 0.45");
}
TEST(Plain, TakesColourOutOfATerminal) {
  EXPECT_EQ(plain("\x1b[31mred"), " [31mred");
}
TEST(Plain, KeepsUtf8AndReplacesOtherBytes) {
  EXPECT_EQ(plain("\xc2\xb5s caf\xe9 \xe2\x82"), "\xc2\xb5s caf? ??");
}
TEST(Plain, RefusesOverlongForms) {
  EXPECT_EQ(plain("\xc0\xbc"), "??");
}
TEST(Plain, KeepsNewlinesAndReplacesNul) {
  EXPECT_EQ(plain(std::string("a\0b\n", 4)), "a b\n");
}

TEST(Wrap, BreaksBetweenWordsAtEightyColumns) {
  EXPECT_EQ(wrap(std::string(40, 'a') + " " + std::string(39, 'b')).size(), 81U);  // one line and its newline
  EXPECT_EQ(wrap(std::string(40, 'a') + " " + std::string(40, 'b')),
            std::string(40, 'a') + "\n" + std::string(40, 'b') + "\n");
}

TEST(Wrap, IndentsEachLineAndKeepsALongWordWhole) {
  EXPECT_EQ(wrap("x " + std::string(90, 'y'), 2), "  x\n  " + std::string(90, 'y') + "\n");
}

TEST(FourDigits, KeepsFourWhateverTheSize) {
  EXPECT_EQ(four_digits(9.87654), "9.877");
  EXPECT_EQ(four_digits(12.3456), "12.35");
  EXPECT_EQ(four_digits(3012.3), "3012");
  EXPECT_EQ(four_digits(std::nullopt), "n/a");
}

TEST(TbsText, GivesSlowMemoryOneMoreDigit) {
  EXPECT_EQ(tbs_text(4.1234), "4.123");
  EXPECT_EQ(tbs_text(0.03456), "0.0346");
}

}  // namespace
}  // namespace census
