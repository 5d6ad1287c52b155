# plain
# Shapes by diy's names, from cycles of relations.
litscope gen -cycle "PodWW Rfe PodRR Fre" -cycle "PodWR Fre PodWR Fre" -cycle "Rfe PodRW Rfe PodRW" \
  -cycle "PodWW Coe PodWR Fre" -cycle "PodWW Rfe PodRW Coe" -cycle "PodWW Wse PodWW Wse" \
  -cycle "Rfe PodRW Rfe PodRR Fre" -cycle "Rfe PodRR Fre PodWR Fre" -cycle "Fre PodWW Rfe PodRW Rfe PodRR" \
  -cycle "Rfe PodRR Fre Rfe PodRR Fre" -cycle "Rfe PosRR Fre" -cycle "PodWW Rfi PodRR Fre PodWW Rfe PodRR Fre"
# Fences, dependencies of control, several edges alike.
litscope gen -cycle "FencedWW Rfe DpCtrldR Fre" -cycle "FencedWR Fre FencedWR Fre" -orders rlx+sc | tail -3
litscope gen -cycles 4
litscope gen -cycles 6 | tail -1
# Wildcards, in cycles and in the edges of all cycles.
litscope gen -cycle "Po** Rfe Pod** Fre" -cycle "Fenced** Coe Pod** Rf* Dp** Fre"
litscope gen -cycles 4 -safe "Pod**,Rfe,Fre" -relax 'DpAddrd* DpDatad*'
litscope gen -cycles 4 -safe "Fenced**,Rfe,Fre,Wse" | head -3
litscope gen -cycles 6 -safe "Pod** Dp*d* Rfe Fre Coe" | tail -1
for cycle in "PodWW Rf Fr*" "Rfe Pod*" "PodR* PodR* PodR*" "* *i" "*" "Rfe Rf*"; do litscope gen -cycle "$cycle"; done
litscope gen -cycles 3 -safe 'Pod**,Rfx'
litscope gen -cycles 3 -relax 'Q*'
# Dependencies, of addresses and of values that are stored; in every language that has them.
litscope gen -cycle "PodWW Rfe DpAddrdR Fre" -cycle "DpDatadW Rfe DpDatadW Rfe" -cycle "DpAddrdW Rfe DpCtrldW Rfe" \
  -cycle "FencedWW Rfe DpdR Fre" -cycle "FencedWW Rfe CtrldR Fre" -cycle "PodWW Rfe DpDatasW Rfi PodRR Fre" \
  -cycle "Rfe DpAddrsR Fre" -cycle "PodWW Rfe PodRW PodWR Fre" -cycle "PosWW Rfe PosRR Fre" \
  -cycle "FencedWR Fre PodWR Fre" -cycle "PodWR Fre FencedWR Fre" -cycle "Fre PodWR Fre DpAddrdW Rfe PodRR"
litscope gen -cycle "DpDatadW Rfe DpAddrdW Rfe" -orders na+rlx -o $TMP/c-dep -model rc11,sc
cat $TMP/c-dep/LB+addr+data-Rxn.addr.Wyar+Ryar.data.Wxn.litmus
litscope check -q -model rc11,sc -expect $TMP/c-dep/expected.tsv $TMP/c-dep >/dev/null && echo as expected
for language in opencl hsa; do
  litscope gen -cycle "DpDatadW Rfe DpAddrdW Rfe" -language $language -scopes wg+dev+remote -orders ra -o $TMP/dep-$language
  litscope check -q -model opencl-rsp,hrf-rsp $TMP/dep-$language | grep -c '^Observation'
done
cat $TMP/dep-hsa/LB+addr+data-Rxw.addr.Wyw+Ryw.data.WxD.litmus
for language in ptx vulkan; do
  litscope gen -cycle "DpDatadW Rfe DpDatadW Rfe" -language $language -scopes wg -trees apart -o $TMP/dep-$language
  cat $TMP/dep-$language/*.litmus
  litscope check -q $TMP/dep-$language | grep '^Observation'
  litscope gen -cycle "DpDatadW Rfe DpAddrdW Rfe" -language $language -scopes wg
done
# Scopes: every placement of the threads, up to symmetry; orders and scopes of each access.
litscope gen -cycle "PodWW Rfe PodRR Fre" -scopes wg+dev -orders ra | tail -4
litscope gen -cycle "PodWR Fre PodWR Fre" -scopes dev+remote -orders ra -trees same
litscope gen -cycle "Rfe PodRW Rfe PodRR Fre" -scopes sys -orders ra -trees devices
litscope gen -cycle "Rfe PodRR Fre Rfe PodRR Fre" -scopes gpu -language ptx
litscope gen -cycle "PodWW Rfe PodRR Fre" -language hsa -scopes wg -trees apart -o $TMP/hsa
cat $TMP/hsa/*.litmus
# Written with what models say.
litscope gen -cycles 4 -orders rlx+sc -o $TMP/c -model rc11,sc
litscope check -model rc11,sc -expect $TMP/c/expected.tsv $TMP/c >/dev/null && echo as expected
litscope check -model sc $TMP/c | grep -c '^Observation .* Never'
# What is no cycle.
for cycle in "PodWW Rfe PodWR" "PodWW Rfx" "DpDatadR Fre" "Rfe" "Coe" "PodRR PodRR" "PodWW Coi" "Rfe Fre" "PodWW Rfe PosRR Fre" "Fre PosWR" \
  "PosWR Fre PosWR Fre PosWR Fre PosWR Fre PosWR Fre" "PosWW PosWW PosWW PosWW PosWW PosWW Rfe PosRR Fre" \
  "PodWW PodWW PodWW PodWW PodWW PodWW PodWW Rfe PosRR Fre"; do
  litscope gen -cycle "$cycle"
done
litscope gen -cycle "PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW PodWW"
litscope gen -cycles 3 -orders acq
litscope gen -cycles 3 -language c -scopes wg
litscope gen -cycles 4 -model nosuch
litscope gen -cycles 4 -o $TMP/hsa/expected.tsv
litscope gen -cycles 3 -json $TMP/cycles.json
# Clusters, where a scope is one, and locations of two storage classes.
litscope gen -cycle "PodWW Rfe PodRR Fre" -language ptx -scopes cluster -orders ra
litscope gen -cycle "PodWW Rfe PodRR Fre" -language vulkan -scopes dev -orders ra -classes 2 -trees apart -o $TMP/classes -model vulkan
cat $TMP/classes/MP*sc01.litmus
litscope gen -cycle "PodWW Rfe PodRR Fre" -scopes dev -classes 2
