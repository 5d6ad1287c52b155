# Rows of a machine with meshes of their own: each has its baseline.
sed 's/layout=rows k=1 B=16 spec=0/W=3 &/' mappings/timing-fear.xml >$TMP/timing-own.xml
litscope cost fear-timed -csv -machine $TMP/timing-own.xml -params workload=mig,ops=8 | sed -n '1p; /^Timed runs/p'
