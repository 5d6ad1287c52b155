litscope cost amo-throughput -csv -params iss=2,n=32; litscope cost amo-throughput -csv -params iss=4,n=32
