#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# is_formatted.sh SOURCE: every C++ and CUDA file of SOURCE is as the clang-format of .pre-commit-config.yaml writes it.
set -euo pipefail
cd "$1"

major=$(sed -n 's/.*clang-format==\([0-9]*\)\..*/\1/p' .pre-commit-config.yaml)
for tool in "clang-format-$major" clang-format; do
  if command -v "$tool" >/dev/null && "$tool" --version | grep -q "version $major\."; then break; fi
  tool=
done
if [[ -z $tool ]]; then
  echo "clang-format $major is not installed (other versions differ in a few places)"
  exit 77
fi

if ! find src kernels tests ci \( -name '*.[ch]pp' -o -name '*.cu' -o -name '*.cuh' -o -name '*.h' \) -print0 |
  xargs -0 "$tool" --dry-run -Werror; then
  echo "not formatted: pre-commit run -a, or $tool -i of the files named above"
  exit 1
fi
