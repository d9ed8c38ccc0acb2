// SPDX-License-Identifier: MIT
// explain: what a verdict means and what to do about it.
#include <census/commands.hpp>
#include <census/error.hpp>
#include <census/judge.hpp>
#include <census/names.hpp>
#include <census/text.hpp>

namespace census {
namespace {

struct Explanation {
  Kind kind;
  const char* meaning;
  const char* action;
};

constexpr Explanation explanations[] = {
    {Kind::pass, "The median of the fresh processes is within the row's tolerance of the baseline. Exit 0.",
     "Nothing."},
    {Kind::improved,
     "The row is faster than its tolerance: the baseline describes an older, slower kernel and would hide "
     "the next loss. Exit 0, "
     "or 1 with --fail-on-improved.",
     "Refresh the baseline from this run's records, with the commit that made the kernel faster."},
    {Kind::regressed,
     "The row is slower than its limit, a second set of processes confirmed it, and nothing in the "
     "environment explains it. "
     "Exit 1.",
     "Compare with the commit before. If the loss is intended, refresh the baseline with --reason; if it "
     "must pass for some days, waive the row in waivers.json."},
    {Kind::incorrect,
     "The output differs from the CPU reference, between two processes, or from the digest in the baseline. "
     "Exit 1.",
     "Fix the kernel. If the order of its floating-point operations was changed on purpose, refresh with "
     "--reason."},
    {Kind::invalid,
     "The number cannot be true: above the device's peak, not a number, no samples, or inputs that fit into "
     "the cache. Exit 3.",
     "Read the reason: it names the bytes, the bandwidth or the sample that is impossible."},
    {Kind::environment,
     "The device was throttled, capped, busy or locked, the bandwidth probe moved too, or the row is slower "
     "although the machine code and its launches are the baseline's (equal code digests). "
     "Exit 3; on the CPU 77 unless --strict.",
     "Do what the reason says (end the other process, let the device cool, unlock its clocks), then repeat."},
    {Kind::inconclusive, "The processes disagree by more than two tolerances and straddle the limit. Exit 3.",
     "Repeat; if it stays, look for a neighbour on the machine with doctor."},
    {Kind::no_baseline,
     "There is no baseline for this device, or none for this row. Exit 77, or 3 with --strict.",
     "Record three or more starts with gate --results, then make the baseline with refresh."},
    {Kind::removed, "The baseline has a row that the census lacks. Exit 0 with a notice, or 3 with --strict.",
     "Take it out with refresh --drop ROW, or give it its new id with refresh --rename OLD=NEW."},
    {Kind::no_device,
     "The backend has no device here, or none that can run the row. Exit 77, or 3 with --require.",
     "Run on a machine that has one; doctor says what was found."},
    {Kind::error, "The row threw, or its process crashed, was killed or ran out of time. Exit 2.",
     "Read the reason: it names the call or the signal. measure --row shows the row alone."},
};

std::string page(const Explanation& e) {
  return std::string(to_string(e.kind)) + "\n" + wrap(e.meaning, 2) +
         wrap(std::string("What to do: ") + e.action, 2);
}

}  // namespace

int explain_command(const Call& call) {
  std::string text;
  for (const auto& word : call.options.arguments) {
    if (kind_from(word)) continue;
    std::vector<std::string> kinds;
    for (const auto& e : explanations) kinds.emplace_back(to_string(e.kind));
    throw UsageError("explain: no verdict \"" + word + "\"" + nearest_hint(word, kinds));
  }
  for (const auto& e : explanations) {
    const auto& words = call.options.arguments;
    const bool wanted =
        words.empty() || std::find(words.begin(), words.end(), to_string(e.kind)) != words.end();
    if (wanted) text += page(e);
  }
  call.out << text;
  return 0;
}

}  // namespace census
