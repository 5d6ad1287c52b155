#!/bin/sh
# SPDX-License-Identifier: MIT
# Every row of the recorded results of LLVM on the AMD machine: scripts/compilers_goldens takes every 30th. Half an hour.
set -eu
LITSCOPE_GOLDENS=1
. tests/scripts/compilers_goldens.sh
