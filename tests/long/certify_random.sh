# SPDX-License-Identifier: MIT
# Certificates of random tests in five languages: each is accepted, or was refused in words.  About a minute;
# CERTIFY_TESTS (of each language) and CERTIFY_SEED choose others.
set -eu
for language in c opencl hsa ptx vulkan; do
  mkdir "$TMP/$language"
  "$BUILD/tests/naive/generate" -language "$language" -o "$TMP/$language" "${CERTIFY_SEED:-51}" "${CERTIFY_TESTS:-1000}"
  litscope check -q -certify "$TMP/cert" "$TMP/$language" >/dev/null 2>"$TMP/err" || true
  litscope-certify "$TMP/cert" >"$TMP/out" || { echo "$language: not accepted"; exit 1; }
  accepted=$(grep -c '^Accepted' "$TMP/out") refused=$(grep -c 'certificates cannot express' "$TMP/err" || true)
  echo "$language: $accepted accepted, $refused refused"
  [ $((accepted + refused)) = "${CERTIFY_TESTS:-1000}" ] || { echo "$language: some are missing"; exit 1; }
done
