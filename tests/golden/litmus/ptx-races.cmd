# PTX's data races: of one size for information; of several sizes the program has no meaning.
litscope check -q litmus/ptx/MP_fence_release.litmus litmus/ptx/MP_mixed_size.litmus litmus/ptx/Mbarrier.litmus litmus/ptx/Race_observed.litmus litmus/museum/Weak_flag.litmus litmus/museum/Weak_flag_strong.litmus | grep -E '^(Flag|Bad|Means|Observation|Undefined)'
litscope check -q -certify "$TMP/certificate" litmus/ptx/Mbarrier.litmus >/dev/null
litscope explore -machine sc litmus/ptx/Bulk_load.litmus | grep -E '^(States|1:)'
