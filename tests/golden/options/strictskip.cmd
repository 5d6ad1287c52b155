# plain: the logs of hundreds of tests, each judged as in other tests
# Only executions that fail the checks left out: with those that pass, they are what leaving the checks out allows.
count() { litscope check -q -rounds all "$@" | awk '/^Positive/ { print $2 + $4 }'; }
while read -r model check tests; do
  # shellcheck disable=SC2086
  count -model $model $tests > "$TMP/pass"
  # shellcheck disable=SC2086
  count -model $model -skipcheck $check $tests > "$TMP/all"
  # shellcheck disable=SC2086
  count -model $model -skipcheck $check -strictskip true $tests > "$TMP/fail"
  paste "$TMP/pass" "$TMP/fail" "$TMP/all" | awk -v what="$model $check" '
    { pass += $1; fail += $2; wrong += $1 + $2 != $3 } END { print what ": " pass " pass, " fail " fail, " wrong + 0 " wrong" }'
done <<END
opencl-rsp coherence litmus/rsp litmus/hrf
rc11 sc litmus/c11
rc11 no_thin_air litmus/c11
vulkan acyclicity litmus/vulkan
END
litscope check -q -model rc11 -skipchecks sc,no_thin_air -strictskip true litmus/c11/LB_relaxed.litmus | grep Observation
# Where the order of writes is partial, a smallest order that fails may lie within one that passes.
litscope check -skipcheck coherence -strictskip true litmus/ptx/Exch_lock.litmus litmus/ptx/MP_sys.litmus
litscope check -model hrf-rsp-native -skipcheck coherence -strictskip true litmus/hrf/D1.litmus
