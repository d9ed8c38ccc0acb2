// SPDX-License-Identifier: MIT
#include <census/error.hpp>
#include <census/fault.hpp>
#include <census/names.hpp>

#include <algorithm>
#include <bit>
#include <clocale>
#include <csignal>
#include <limits>
#include <locale>
#include <utility>

namespace census {
namespace {

constexpr const char* flip_output = "flip-output";
constexpr const char* nan_output = "nan";
constexpr const char* one_buffer = "one-buffer";
constexpr const char* kill_process = "kill";

class FaultyInstance : public Instance {
 public:
  FaultyInstance(std::unique_ptr<Instance> inner, std::string fault)
      : inner_(std::move(inner)), fault_(std::move(fault)) {}

  void launch(Stream stream, int copy) override {
    if (fault_ == kill_process) raise(SIGKILL);
    inner_->launch(stream, fault_ == one_buffer ? 0 : copy);
  }

  std::vector<float> output(int copy) override {
    auto values = inner_->output(fault_ == one_buffer ? 0 : copy);
    if (values.empty()) return values;
    float& middle = values[values.size() / 2];
    if (fault_ == flip_output) middle = std::bit_cast<float>(std::bit_cast<std::uint32_t>(middle) ^ 1U);
    if (fault_ == nan_output) middle = std::numeric_limits<float>::quiet_NaN();
    return values;
  }

  std::vector<float> reference(int copy) override { return inner_->reference(copy); }

 private:
  std::unique_ptr<Instance> inner_;
  std::string fault_;
};

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

}  // namespace

std::vector<std::string> fault_names() {
  return {flip_output, nan_output, one_buffer, kill_process, comma_locale_fault};
}

KernelCase with_fault(const KernelCase& row, const std::string& fault) {
  if (fault.empty()) return row;
  const auto names = fault_names();
  if (std::find(names.begin(), names.end(), fault) == names.end())
    throw UsageError("no fault \"" + fault + "\"" + nearest_hint(fault, names));
  if (fault == comma_locale_fault || !row.make) return row;
  KernelCase faulty = row;
  faulty.make = [make = row.make, fault](const InstanceRequest& request) -> std::unique_ptr<Instance> {
    return std::make_unique<FaultyInstance>(make(request), fault);
  };
  return faulty;
}

CommaLocale::CommaLocale() : c_locale_(std::setlocale(LC_ALL, nullptr)) {
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  std::locale::global(std::locale(std::locale::classic(), new Comma));
}

CommaLocale::~CommaLocale() {
  std::locale::global(std::locale::classic());
  std::setlocale(LC_ALL, c_locale_.c_str());
}

}  // namespace census
