# -csv -o: each table is a file that starts with its header.
cd $TMP
litscope cost amo-throughput -csv -o tables -params cycles=500 | sort
for file in tables/*; do head -n 2 $file; grep -c '^#' $file; done
litscope cost amo-throughput -o tables
