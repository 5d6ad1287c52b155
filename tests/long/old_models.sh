#!/bin/sh
# SPDX-License-Identifier: MIT
# All of what scripts/old_models finds in families, also what takes minutes.
set -u
OLD_MODELS=all
. tests/scripts/old_models.sh
