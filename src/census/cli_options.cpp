// SPDX-License-Identifier: MIT
#include <census/cli_options.hpp>

#include <string>
#include <vector>

namespace census {
namespace {

namespace po = boost::program_options;

// In the order of the help page. Groups: r rows, d device, m measuring, p peers, c child of gate, j judging,
// g gate, a ab, s selftest, f refresh, D drift, P replay, F format, J format of report, o output.
constexpr Command commands[] = {
    {"table", "", "measure the rows and print the census table (the default)", "rdmpFo"},
    {"run", "", "the same as table", "rdmpFo"},
    {"list", "", "the rows, without touching a device", "rFo"},
    {"gate", "", "measure, judge against the baseline, exit with the verdict", "rdmjgFo"},
    {"measure", "", "measure the rows in this process and write the record", "rdmpco"},
    {"judge", "RESULT...", "judge recorded runs, each occasion on its own", "rjPFo"},
    {"refresh", "[RESULT...]", "write a baseline from recorded runs", "rBf"},
    {"drift", "", "each baseline row's total change since the last tag, from git", "rBDFo"},
    {"report", "RESULT...", "what gates recorded, as a page", "rJo"},
    {"doctor", "", "what the gate would say about this machine now, and why", "dBFo"},
    {"ab", "", "two executables side by side: does head block the merge?", "rdmaFo"},
    {"selftest", "[FILE...]", "the gate's own error rates, on this device or from a baseline", "rdBsFo"},
    {"explain", "[VERDICT]", "what a verdict means and what to do about it", ""},
    {"resource-spec", "", "ctest's resource specification of this machine's GPUs", "o"},
};

}  // namespace

std::span<const Command> all_commands() {
  return commands;
}

po::options_description option_group(char group) {
  po::options_description options;
  const auto text = [] { return po::value<std::string>(); };
  const auto texts = [] { return po::value<std::vector<std::string>>()->composing(); };
  auto add = options.add_options();
  switch (group) {
    case 'r':
      add("row", texts(), "rows whose id matches this glob; may be repeated");
      add("plan", texts(), "rows that this plan spends; may be repeated");
      add("backend", text(), "cuda or cpu");
      break;
    case 'd':
      add("device", text(), "device number or UUID");
      break;
    case 'm':
      add("arm", text(), "force this implementation of the rows");
      add("reps", text(), "samples of a row (at least 3; default 20)");
      add("launch", text(), "graph (default) or stream: eager, with the host's launch cost");
      add("cache", text(), "cold (default) or hot: one buffer; labelled, never gated");
      add("footprint", text(), "bytes that the copies of a row fill together; for tests");
      add("plant", text(),
          "[BACKEND:]GLOB=PERCENT[@BYTES][,...] lengthens the launches of these rows; the search for how "
          "begins at BYTES a launch");
      add("lock-wait", text(), "seconds to wait for the device's lock (default 120)");
      break;
    case 'p':
      add("peers", "also time cuBLAS (bf16 rows) and the rows' other arms, in the same rounds");
      break;
    case 'c':
      add("no-reference", "check the output's digest only");
      add("fault", text(), "break the row on purpose, for selftest; recorded, refused by refresh");
      add("lock-fd", text(), "descriptor of the lock that the parent process holds");
      break;
    case 'j':
      add("fail-on-improved", "exit 1 for a row that is faster than its tolerance");
      add("strict", "exit 3, not 77 or 0, for no_baseline and removed; on the CPU also for environment");
      add("runs", text(), "fresh processes of a row, or recorded ones to judge at once (default 3)");
      [[fallthrough]];
    case 'B':
      add("baselines", text(), "directory of the baselines (default: baselines)");
      break;
    case 'g':
      add("require", texts(), "exit 3, not 77, where this backend has no device; may be repeated");
      add("results", text(), "directory that the row's record is written to");
      add("begin", text(), "start a new run in this results directory, and do no more");
      add("end", text(), "report the run in this results directory");
      add("pause", text(), "seconds before a slow row is confirmed (default 2)");
      add("child-timeout", text(), "seconds that one process may take (default 120)");
      add("time-limit", text(), "seconds that a row may take, ctest's TIMEOUT (default 600)");
      break;
    case 'a':
      add("base", text(), "executable of the merge base");
      add("head", text(), "executable of the change (default: this one); a --plant is for it alone");
      add("pairs", text(), "pairs of processes, twice as many for rows in doubt (default 6)");
      add("common", "compare the rows that both have, instead of exit 3 for the others");
      add("accept-numeric-change", "a changed output digest is a notice, not exit 1");
      add("ignore-code", "time rows whose code is equal like all others, not only a few of them");
      add("begin", text(), "compare, and leave the verdicts to the rows: record in this directory");
      add("results", text(), "print the verdict of one --row from this directory");
      add("end", text(), "report the comparison in this directory");
      add("child-timeout", text(),
          "seconds that one process may take, 20 more for each further row (default 120)");
      break;
    case 's':
      add("aa", text(), "gate calls over all rows with nothing planted");
      add("plant", text(), "percent[,...] planted in each row over 20 MB, for the gate");
      add("tries", text(), "rows to be tried at each of these (default 60)");
      add("ab", text(), "paired runs of this executable against itself");
      add("ab-plant", text(), "percent[,...] planted in head's rows over 20 MB, for ab");
      add("ab-tries", text(), "rows to be tried at each of these (default 60)");
      add("faults", "wrong numerics, NaN, cached copies, a killed process, a co-tenant, ...");
      add("minutes", text(), "start nothing that would end later than this");
      add("pause", text(), "seconds before a slow row is confirmed (default 2); what is planted stays");
      add("merge", "add up the sessions of these files");
      add("leave-one-out",
          "without a device: judge each machine start in this baseline file against the others, and with "
          "each --plant added to its times");
      break;
    case 'f':
      add("reason", text(),
          "why a loss, a looser tolerance or a new numeric class is right; driver or toolkit, "
          "alone or before more words: all rows anew, since the machine changed");
      add("replace", "drop the old occasions of these rows, though the kernel looks the same");
      add("loosen", "let a tolerance exceed the policy number; needs --reason");
      add("accept-loss", texts(),
          "where rows gain and lose at once: the losing rows that are meant; may be repeated");
      add("rename", texts(), "OLD=NEW: the row keeps its occasions under its new id; may be repeated");
      add("drop", texts(), "take this row, which the census lacks, out of the baseline; may be repeated");
      add("dry-run", "print the changes, write nothing");
      break;
    case 'D':
      add("since", text(), "tag, branch or commit to compare with (default: the last tag)");
      break;
    case 'P':
      add("replay", "compare the verdicts with those of another policy, which these options give:");
      add("tolerance", text(), "percent that a row may be slower");
      add("control-tolerance", text(), "percent that the ceiling may be lower");
      add("floor", text(), "us: the smallest difference that counts");
      break;
    case 'F':
      add("format", text(), "text (default), json or markdown");
      break;
    case 'J':
      add("format", text(),
          "text (default), json, markdown, junit, or kernels: what each kernel "
          "reaches and occupies, of records or a baseline");
      break;
    case 'o':
      add("output,o", text(), "write to this file");
      break;
    default:
      break;
  }
  return options;
}

}  // namespace census
