#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/repair_corpus.sh of every broken lock and barrier that the suite has.
set -eu
suite=${LITSCOPE_CORPUS:-../shared/corpus}/spirv
[ -d "$suite" ] || { echo "no $suite"; exit 77; }
LITSCOPE_BROKEN=$(cd "$suite" && ls ./*/benchmarks/*lock*2rx*.spvasm ./*/benchmarks/*lock-dv2wg*.spvasm \
  ./*/benchmarks/xf-barrier*fail*.spvasm ./*/benchmarks/xf-barrier*weakest.spvasm | sed 's/\.spvasm$//')
export LITSCOPE_BROKEN
exec sh tests/scripts/repair_corpus.sh
