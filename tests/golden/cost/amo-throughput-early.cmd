litscope cost amo-throughput -csv -params early=0
