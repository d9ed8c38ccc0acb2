// SPDX-License-Identifier: MIT
#include <census/stats.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

namespace census {
namespace {

using Sample = std::vector<double>;

TEST(Stats, MedianOfAnOddCountIsTheMiddleValue) {
  EXPECT_EQ(median(Sample{3, 1, 2}), 2);
}

TEST(Stats, MedianOfAnEvenCountIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median(Sample{4, 1, 3, 2}), 2.5);
}

TEST(Stats, MedianOfNothingOrOfNotANumberIsRefused) {
  EXPECT_THROW((void)median(Sample{}), std::invalid_argument);
  EXPECT_THROW((void)median(Sample{1, std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}

TEST(Stats, MedianSurvivesAnInfiniteNeighbour) {
  EXPECT_EQ(median(Sample{1, 2, std::numeric_limits<double>::infinity()}), 2);
}

TEST(Stats, QuantileInterpolatesBetweenOrderStatistics) {
  const Sample sample{10, 20, 30, 40, 50};
  EXPECT_EQ(quantile(sample, 0), 10);
  EXPECT_EQ(quantile(sample, 0.25), 20);
  EXPECT_EQ(quantile(sample, 0.375), 25);
  EXPECT_EQ(quantile(sample, 1), 50);
}

TEST(Stats, QuantileOutsideOfZeroToOneIsRefused) {
  EXPECT_THROW((void)quantile(Sample{1}, 1.5), std::invalid_argument);
}

TEST(Stats, GeometricMeanOfOneAndFourIsTwo) {
  EXPECT_DOUBLE_EQ(geometric_mean(Sample{1, 4}), 2);
}

TEST(Stats, GeometricMeanOfZeroIsRefused) {
  EXPECT_THROW((void)geometric_mean(Sample{1, 0}), std::invalid_argument);
  EXPECT_THROW((void)geometric_mean(Sample{}), std::invalid_argument);
}

TEST(Stats, LogStandardDeviationOfTwoValuesIsTheirLogRatioOverRootTwo) {
  EXPECT_NEAR(log_standard_deviation(Sample{10, 10 * std::exp(0.02)}), 0.02 / std::sqrt(2.0), 1e-15);
}

TEST(Stats, LogStandardDeviationOfOneValueIsRefused) {
  EXPECT_THROW((void)log_standard_deviation(Sample{1}), std::invalid_argument);
}

// Squares about the means 0.01 and 1: 2 * 0.01^2 with 1 degree, 2 * 0.02^2 with 2; together sqrt(0.001 / 3).
TEST(Stats, PooledDeviationWeighsGroupsByTheirDegreesOfFreedom) {
  const std::vector<Sample> groups{{1, std::exp(0.02)}, {std::exp(0.98), std::exp(1.0), std::exp(1.02)}, {7}};
  EXPECT_NEAR(pooled_log_standard_deviation(groups), std::sqrt(0.001 / 3), 1e-15);
}

TEST(Stats, PooledDeviationWithoutAPairIsRefused) {
  EXPECT_THROW((void)pooled_log_standard_deviation({{1}, {2}}), std::invalid_argument);
}

struct TableEntry {
  double probability;
  int degrees;
  double quantile;
};

// Entries of the usual printed table of Student's t, three decimals.
TEST(Stats, StudentQuantilesAreThoseOfThePrintedTable) {
  for (const TableEntry& entry : {TableEntry{0.75, 1, 1.000},
                                  {0.95, 1, 6.314},
                                  {0.975, 1, 12.706},
                                  {0.999, 1, 318.309},
                                  {0.95, 2, 2.920},
                                  {0.999, 2, 22.327},
                                  {0.975, 3, 3.182},
                                  {0.999, 3, 10.215},
                                  {0.975, 5, 2.571},
                                  {0.999, 9, 4.297},
                                  {0.95, 10, 1.812},
                                  {0.999, 10, 4.144},
                                  {0.995, 12, 3.055},
                                  {0.999, 19, 3.579},
                                  {0.999, 20, 3.552},
                                  {0.999, 29, 3.396},
                                  {0.99, 30, 2.457},
                                  {0.975, 60, 2.000},
                                  {0.999, 120, 3.160}}) {
    EXPECT_NEAR(student_t_quantile(entry.probability, entry.degrees), entry.quantile, 0.0006)
        << entry.probability << " with " << entry.degrees;
  }
}

TEST(Stats, StudentMedianIsZero) {
  EXPECT_EQ(student_t_quantile(0.5, 7), 0);
}

// With many degrees the quantile is the normal one, 3.090232.
TEST(Stats, StudentWithManyDegreesIsNormal) {
  EXPECT_NEAR(student_t_quantile(0.999, 100000), 3.0902, 0.0002);
}

TEST(Stats, StudentOutsideOfItsDomainIsRefused) {
  EXPECT_THROW((void)student_t_quantile(1.0, 5), std::invalid_argument);
  EXPECT_THROW((void)student_t_quantile(0.4, 5), std::invalid_argument);
  EXPECT_THROW((void)student_t_quantile(0.9, 0), std::invalid_argument);
}

TEST(Stats, SharesAboveTheSmallestCountStrictly) {
  EXPECT_DOUBLE_EQ(percent_above_smallest(std::vector{4.0, 5.0, 5.1, 8.0}, 1.25), 50);
  EXPECT_DOUBLE_EQ(percent_above_smallest(std::vector{4.0}, 1.25), 0);
  EXPECT_THROW((void)percent_above_smallest({}, 1.25), std::invalid_argument);
}

}  // namespace
}  // namespace census
