# sizes whose product has more than 32 bits, and a cluster of 2^32
litscope check tests/golden/kernels/huge_group.spvasm tests/golden/kernels/wide_cluster.spvasm | grep -v ^Time
