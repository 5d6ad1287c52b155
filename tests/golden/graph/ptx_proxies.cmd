# Boxes of PTX's levels, and colours of proxies other than the generic one.
litscope check -o $TMP -show all litmus/ptx/Proxy_fence_other_cta.litmus >/dev/null
grep -hoE 'label="?(gpu|cta|device|work-group) [0-9]+' $TMP/*-0.dot | sort
perl -0ne 'print "$1 $2\n" while /\be\d+\s*\[[^]]*[^l]color="(#[0-9a-f]+)"[^]]*label="([^"]*)"/g' $TMP/*-0.dot | sort
