# The protocols on this machine: the values are right, and bytes and faults those of the model.
litscope cost adsm -run -csv -params s=1048576,B=65536,T=3,m=5 -o "$TMP/run" >/dev/null
litscope cost adsm -csv -params s=1048576,B=65536,T=3,m=5 -o "$TMP/model" >/dev/null
ls "$TMP/run"
cut -d, -f1-5,12 "$TMP/run/adsm-Access-patterns-on-this-machine.csv"
cut -d, -f1-5 "$TMP/run/adsm-Access-patterns-on-this-machine.csv" >"$TMP/a"
cut -d, -f1-5 "$TMP/model/adsm-Access-patterns.csv" >"$TMP/b"
cmp "$TMP/a" "$TMP/b"
# What kernels do not write stays with the host: values are right, and the traffic is the model's.
litscope cost adsm -run -csv -params s=1048576,B=65536,T=3,m=5,annotate=1 -o "$TMP/kept" >/dev/null
litscope cost adsm -csv -params s=1048576,B=65536,T=3,m=5,annotate=1 -o "$TMP/keeps" >/dev/null
cut -d, -f12 "$TMP/kept/adsm-Access-patterns-on-this-machine.csv" | sort | uniq -c
cut -d, -f1-5 "$TMP/kept/adsm-Access-patterns-on-this-machine.csv" >"$TMP/a"
cut -d, -f1-5 "$TMP/keeps/adsm-Access-patterns.csv" >"$TMP/b"
cmp "$TMP/a" "$TMP/b"
# Evictions, and larger blocks than objects.
litscope cost adsm -run -csv -params s=1048576,R=1,pattern=multi-pass,p=4 -o "$TMP/rolling" >/dev/null
cut -d, -f1-4,11 "$TMP/rolling/adsm-Block-size--vector-addition-on-this-machine.csv"
# What is given is taken as it is.
litscope cost adsm -run -csv -params s=1048576,B=65536,pattern=read-back,latency=77,fault=7 | grep ',latency\|,fault,'
