#!/bin/sh
# SPDX-License-Identifier: MIT
# What scripts/khronos_naive.sh compares, on twenty times as many tests.
KHRONOS_SEED=${KHRONOS_SEED:-2} KHRONOS_COUNT=${KHRONOS_COUNT:-2000} exec sh tests/scripts/khronos_naive.sh
