litscope cost amo-throughput -csv
