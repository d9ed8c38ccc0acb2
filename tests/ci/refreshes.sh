#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# ci/refresh on a repository of its own, with a census that pretends: what it measures, commits, pushes and opens.
# usage: refreshes.sh PROJECT
set -euo pipefail

fail() {
  printf 'expected %s\n%s\n' "$1" "$output"
  exit 1
}

project=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
unset GITHUB_ACTIONS GITLAB_CI
git init -q --bare "$work/origin"
git init -q -b main "$work/clone"
cd "$work/clone"
mkdir -p ci baselines build/release bin
cp "$project/ci/refresh" ci/
printf '#!/bin/sh\necho "built"\n' >ci/build
printf '#!/bin/sh\necho "gh $*" >>"%s/gh.log"\n' "$work" >bin/gh
cat >build/release/decode-kernel-census <<'TEXT'
#!/bin/sh
echo "$*" >>build/calls.log
case $1 in
  measure) while [ "$1" != -o ]; do shift; done && echo '{}' >"$2" ;;
  refresh) echo "row: 10 us -> 9 us" && cat build/new >baselines/gpu.json ;;
esac
TEXT
chmod +x ci/build bin/gh build/release/decode-kernel-census
printf '/build/\n/bin/\n' >.gitignore
echo old >baselines/gpu.json
mkdir kernels
echo '<!-- kernels-table baselines/gpu.json -->' >kernels/README.md
cat >ci/kernels-table <<'TEXT'
#!/bin/sh
echo "table of $2" >>kernels/README.md
TEXT
chmod +x ci/kernels-table
git add -A
git -c user.name=a -c user.email=b commit -q -m start
git remote add origin "$work/origin"
PATH=$work/clone/bin:$PATH

echo old >build/new
output=$(ci/refresh --branch refresh-1)
[[ $output == *"stays as it is"* ]] || fail "no change where there is none"
[[ -z $(git -C "$work/origin" branch --list) ]] || fail "nothing to be pushed"
[[ $(grep -c '^measure --backend cuda --row [*]' build/calls.log) -eq 3 ]] || fail "three measurements"

echo new >build/new
output=$(GITHUB_ACTIONS=true ci/refresh --branch refresh-2 --rows 'bf16.*' --reason "new; kernel")
[[ $(git -C "$work/origin" show refresh-2:baselines/gpu.json) == new ]] || fail "the baseline on the branch"
[[ $(git -C "$work/origin" show refresh-2:kernels/README.md) == *"table of build/release/decode-kernel-census" ]] || fail "the page of the kernels on the branch"
[[ $(git -C "$work/origin" log -1 --format=%B refresh-2) == *"new; kernel"*"10 us -> 9 us"* ]] || fail "reason and numbers in the commit"
grep -q -- '--reason new; kernel' build/calls.log || fail "the reason to reach refresh"
grep -q 'gh pr create --head refresh-2' "$work/gh.log" || fail "a change to be opened"

status=0
output=$(ci/refresh --branch 'not a name' 2>&1) || status=$?
[[ $status -eq 2 && $output == *"not a branch name"* ]] || fail "exit 2 for a bad name"
