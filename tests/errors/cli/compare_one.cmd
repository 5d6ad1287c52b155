litscope compare litmus/rsp/expected.tsv
