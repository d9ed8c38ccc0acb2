#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The CI templates only call scripts of ci/, those exist, and nothing of a fork runs on our own runner.
# usage: templates.sh PROJECT
set -euo pipefail
cd "$1"

fail() {
  echo "$*"
  exit 1
}

# Commands: after "run:" on GitHub; list items below a "script:" on GitLab.
commands=$(sed -n 's/^ *- run: //p' .github/workflows/*.yml && sed -n 's/^    - \([^i].*\)/\1/p; s/^    - \(ci\/.*\)/\1/p' ci/gitlab-ci.yml)
while read -r command rest; do
  [[ $command == ci/* ]] || fail "a template runs \"$command $rest\"; put it into a script of ci/"
  [[ -x $command ]] || fail "a template runs $command, which is not there"
done <<<"$commands"
[[ $(wc -l <<<"$commands") -ge 8 ]] || fail "only these commands were found: $commands"

# What a stranger wrote reaches a shell through a variable, never through the text of a command.
for workflow in .github/workflows/*.yml; do
  # shellcheck disable=SC2016 # GitHub's syntax
  if grep -n 'run:.*${{' "$workflow"; then fail "$workflow: an expression inside of a command"; fi
  if grep -n 'pull_request_target' "$workflow"; then fail "$workflow: would run a fork's change with our secrets"; fi
  if grep -q 'pull_request:' "$workflow"; then
    [[ $(grep -c 'head.repo.full_name == github.repository' "$workflow") -eq $(grep -c 'runs-on: \[self-hosted' "$workflow") ]] ||
      fail "$workflow: a job on our own runner takes changes of forks"
  fi
done
grep -q 'CI_MERGE_REQUEST_SOURCE_PROJECT_ID != .CI_PROJECT_ID' ci/gitlab-ci.yml || fail "ci/gitlab-ci.yml: the gate takes changes of forks"
