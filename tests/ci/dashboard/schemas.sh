#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every part of a real run is what CDash's own schemas want.
# usage: schemas.sh TESTING SCHEMAS
set -euo pipefail
testing=$1 schemas=$2

skip() {
  echo "skipped: $*"
  exit 77
}
[[ -n $schemas ]] || skip "CENSUS_CDASH_SCHEMAS is not set; configure with the directory of CDash's *.xsd"
[[ -f $schemas/Test.xsd ]] || skip "$schemas: no Test.xsd there"
command -v xmllint >/dev/null || skip "no xmllint; Debian has it in libxml2-utils"

count=0
for part in "$testing"/2*/*.xml; do
  name=$(basename "$part" .xml)
  xmllint --noout --schema "$schemas/$name.xsd" "$part"
  count=$((count + 1))
done
[[ $count -ge 4 ]] || { echo "only $count parts in $testing" && exit 1; }
