# Axes have their unit, and say where they begin when that is not 0, or that they are logarithmic.
for view in rsp-ops rsp-steal amo-throughput amo-policy fear-rings fear-timed adsm; do
  litscope cost $view -svg -o $TMP >$TMP/paths
  grep -o '>[^<>]*([a-zA-Z][^<>]*)[^<>]*</text>\|>pattern</text>\|>workload</text>' $TMP/$view.svg
done
