# SPDX-License-Identifier: MIT
# Certificates of random tests in five languages, HSA's under a model that chooses relations too, and others under one
# that lets values come out of nothing: each is accepted, or was refused in words.  Two minutes; CERTIFY_TESTS (of each
# language) and CERTIFY_SEED choose others.
set -eu
for words in c opencl hsa 'hsa -model tests/certify/choose.cat' ptx vulkan \
  'c -model tests/certify/free.cat' 'opencl -model tests/certify/free.cat' 'ptx -model tests/certify/free.cat' \
  'vulkan -model tests/certify/free.cat'; do
  language=${words%% *}
  rm -rf "${TMP:?}/$language"
  mkdir "$TMP/$language"
  "$BUILD/tests/naive/generate" -language "$language" -o "$TMP/$language" "${CERTIFY_SEED:-51}" "${CERTIFY_TESTS:-1000}"
  # Barriers of quorums, and with values that are read.
  perl -i -pe 'srand($ENV{CERTIFY_SEED} // 51) if !$n++; my @operands = ("0, 1", "0, 1, 1", "0, 1, 2", "0, r0", "0, r0, 2", "0, 1, r0", "0");
    s/(bar\.cta\.sync|cbar[.\w]*) 0(?:, \d+)*/"$1 $operands[rand @operands]"/ge' "$TMP/$language"/*
  # shellcheck disable=SC2086
  litscope check -q ${words#"$language"} -certify "$TMP/cert" "$TMP/$language" >/dev/null 2>"$TMP/err" || true
  litscope-certify "$TMP/cert" >"$TMP/out" || { echo "$language: not accepted"; exit 1; }
  accepted=$(grep -c '^Accepted' "$TMP/out") refused=$(grep -c 'certificates cannot express' "$TMP/err" || true)
  echo "$words: $accepted accepted, $refused refused"
  [ $((accepted + refused)) = "${CERTIFY_TESTS:-1000}" ] || { echo "$language: some are missing"; exit 1; }
done
