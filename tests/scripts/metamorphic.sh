# SPDX-License-Identifier: MIT
# slow
# Changes of tests and options that must not change an answer (../metamorphic); METAMORPHIC_ROUNDS and METAMORPHIC_SEED
# choose more, and others, METAMORPHIC_TESTS other tests than those shipped.
# shellcheck disable=SC2086
exec tests/metamorphic litscope "$BUILD/tests/naive/generate" "$TMP" "${METAMORPHIC_ROUNDS:-11}" "${METAMORPHIC_SEED:-5}" \
  "${METAMORPHIC_SECONDS:-0.2}" ${METAMORPHIC_TESTS:-}
