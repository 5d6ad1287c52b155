# The verdict is there, its certificate is not.
cp litmus/hrf/D3.litmus "$TMP"
cd "$TMP"
printf '"a choice of its own"\nacyclic po | rf as sc\nwith r from {po, rf}\nempty r & co as chosen\n' >own.cat
litscope check -model own.cat -certify cert D3.litmus >/dev/null
