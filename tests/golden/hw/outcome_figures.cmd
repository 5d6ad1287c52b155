# The paper's Figures 4 and 7 as one command makes them; -outcome takes a proposition or a whole condition.
litscope explore -q -cost -mapping rsp-original -outcome '1:r0=1 /\ 1:r1=1' -o $TMP litmus/hsa/Fig4_lock.litmus litmus/hsa/Fig7_lock.litmus |
  grep -v ^Time
for condition in 'exists (1:r0=1)' '~exists 1:r0=1' 'not exists (1:r0=1)' 'forall (1:r0=1)' '~(1:r0=0)'; do
  litscope explore -q -outcome "$condition" litmus/hsa/Fig4_lock.litmus | grep -e ^Condition -e '^Run of' -e ^Ok -e ^No
done
(cd $TMP && grep -c '@' *.svg && grep -o 'done in[^<]*' *.svg)
