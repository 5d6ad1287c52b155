#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/repair_corpus.sh of every broken lock and barrier that the suite has, but for those that are right already
# (two ticket locks and a ttas lock with few work-groups), and the three whose eight work-items count in two elements.
set -eu
suite=${LITSCOPE_CORPUS:-../shared/corpus}/spirv
[ -d "$suite" ] || { echo "no $suite"; exit 77; }
LITSCOPE_BROKEN=$(cd "$suite" && ls ./*/benchmarks/*lock*2rx*.spvasm ./*/benchmarks/*lock-dv2wg*.spvasm \
  ./*/benchmarks/xf-barrier*fail*.spvasm ./*/benchmarks/xf-barrier*weakest.spvasm | sed 's/\.spvasm$//' |
  grep -v -e 'lock-dv2wg-2\.2\.2$' -e 'ticketlock-dv2wg$' -e 'opencl/.*lock-dv2wg-2\.1\.1$')
export LITSCOPE_BROKEN
exec sh tests/scripts/repair_corpus.sh
