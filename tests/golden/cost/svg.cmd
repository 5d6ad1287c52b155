for view in rsp-ops rsp-steal amo-throughput amo-policy fear-rings fear-timed; do
  litscope cost $view -svg -o $TMP >$TMP/paths
  ! command -v xmllint >/dev/null || xmllint --noout $TMP/$view.svg || exit 1
  echo "$view $(grep -c "<polyline" $TMP/$view.svg) lines, $(grep -c "<rect" $TMP/$view.svg) boxes, $(grep -c "<text" $TMP/$view.svg) texts"
done
