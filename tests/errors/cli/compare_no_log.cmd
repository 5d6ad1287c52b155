litscope compare LICENSE litmus/rsp/expected.tsv
