# plain
# Families with barriers, and with any other words of PTX and Vulkan.
litscope diff -q -model ptx-v6.0,ptx-v7.5 -family 2x1,scopes=gpu,words=1 | sed -n '2,6p'
litscope diff -q -model vulkan,vulkan:alloy -family 2x2,barriers,scopes=dv,orders=ra,locations=1,words=1 | sed -n '2,8p'
litscope diff -q -model ptx,ptx-v6.0 -family 2x2,barriers,fences,scopes=gpu,orders=na,words=2 -budget 900 | sed -n '2,8p'
litscope diff -q -model hrf-rsp,opencl -family 2x2,barriers,orders=ra,scopes=wg | sed -n '2,8p'
# The same in parts.
run='diff -q -model ptx-v6.0,ptx-v7.5 -family 2x1,scopes=gpu,words=1 -budget 200'
for i in 1 2; do litscope $run -shard $i/2 >$TMP/part$i; done
litscope $run >$TMP/whole
litscope merge $TMP/part2 $TMP/part1 | cmp - $TMP/whole && echo merged
# In files and on the command line; minimal tests are written.
litscope diff -q -model ptx-v6.0,ptx-v7.5 -family 2x1,scopes=gpu,words=1 -budget 40 -o $TMP/tests >/dev/null
ls $TMP/tests
cat $TMP/tests/Wxd+Ux-atom-acq_rel-gpu-add-generic.litmus
litscope check -model ptx-v6.0,ptx-v7.5 $TMP/tests | sed -n '/^Verdicts/,$p'
litscope check -model ptx 'Wx{sust.weak@surface} F{fence.proxy.surface} Wyd|Ryd ! Rxn (wg 0,1)' | grep ^Obs
printf 'Wxd1|Ux{atom.acq_rel.gpu.add@generic}8 (wg 0,0 dev 0,0)\n' >$TMP/family
litscope diff -q -model ptx-v6.0,ptx-v7.5 -family $TMP/family | sed -n '3,6p'
# Programs that differ in words alone are told apart, also where they are parts of others.
printf 'Rxn Wxd1|Ux{%s}8\n' atom.acq_rel.gpu.add atom.acq_rel.gpu.add@generic suatom.acq_rel.gpu.add@surface >$TMP/family
litscope diff -q -model ptx-v6.0,ptx-v7.5 -family $TMP/family | sed -n '3,$p'
# Clusters: a model in which threads of one cluster are not related differs where cluster scope and places show it.
mkdir $TMP/apart
cp models/ptx*.cat $TMP/apart
sed 's/\[strong\]; sr; /[strong]; (sr \\ (sqf \\ scta)); /' models/ptx-base.cat >$TMP/apart/ptx-base.cat
litscope diff -q -model ptx,$TMP/apart/ptx.cat -family 2x1,orders=ra,scopes=cluster | sed '1d'
litscope diff -q -model ptx,$TMP/apart/ptx.cat -family 2x1,orders=ra,scopes=gpu,clusters=2,words=1 -budget 300 | sed -n '3p;/^all/p'
litscope check -model ptx 'Wxn Wyq|Ryq ! Rxn (wg 0,1 cluster 0,0)' | grep ^Obs
# Storage classes: a model in which semantics of two classes order nothing differs where locations are in two.
mkdir $TMP/one
cp models/vulkan*.cat $TMP/one
sed 's/(SC0, SEMSC0)/(SC0, SEMSC0 \\ SEMSC1)/; s/(SC1, SEMSC1)/(SC1, SEMSC1 \\ SEMSC0)/; s/inter_thread (SC0 | SC1, S01) | //' \
  models/vulkan-base.cat >$TMP/one/vulkan-base.cat
litscope diff -q -model vulkan,$TMP/one/vulkan.cat -family 2x2,guarded,scopes=dv,classes=2,orders=na+ra -budget 4000 | sed -n '2,9p'
litscope diff -q -model vulkan,$TMP/one/vulkan.cat -family 2x2,guarded,scopes=dv -budget 3000 | tail -1
litscope diff -q -model vulkan,$TMP/one/vulkan.cat -family 2x2,scopes=dv,classes=2,words=1 -budget 2000 | sed -n '2,3p;/^all/p'
litscope check -model vulkan 'Wxn Wyd|Ryd ! Rxn (wg 0,1 dev 0,0 sc 0,1)' \
  'Wxn Wy{st.atom.rel.dv.sc1.semsc1.semav}|Ryd ! Rxn (wg 0,1 dev 0,0 sc 0,1)' | grep -E '^(Obs|Undef)'
# What is refused.
bad() {
  litscope diff -q "$@" && echo "accepted: $*"
}
bad -model ptx,sc -family 2x2,words=0
bad -model ptx,sc -family 2x2,words=7
bad -model opencl,sc -family 2x2,words=1
bad -model rc11,sc -family 2x2,barriers
bad -model vulkan,sc -family 2x2,clusters=2
bad -model ptx,sc -family 2x2,classes=2
bad -model vulkan,sc -family 2x2,classes=3
for program in 'Wxn|Rxn (wg 0,1 sc 4)' 'Wxn Wyn|Rxn (wg 0,1 sc 0)' 'Wx{st.sc5}|Rxn (wg 0,1 sc 0)'; do
  litscope check -model vulkan "$program"
done
litscope check -model ptx 'Wxn|Rxn (wg 0,1 sc 0)'
for program in 'Wxq|Rxq (wg 0,0 cluster 0,1)' 'Wxq|Rxq (wg 0,1 cluster 0,0 dev 0,1)'; do
  litscope check -model ptx "$program"
done
litscope check -model vulkan 'Wxq|Rxq (wg 0,1 cluster 0,0)'
for program in 'Wx{st.weak|Rxn' 'Wx{}|Rxn' 'Wx{st.weak }|Rxn' 'Wx{st.strong}|Rxn' 'Wx{st.weak@other}|Rxn' 'Rx{st.weak}|Wxn'; do
  printf '%s\n' "$program" >$TMP/family
  bad -model ptx,sc -family $TMP/family
  litscope check -model ptx "$program"
done
litscope check 'Wx{st.weak}|Rxn'
