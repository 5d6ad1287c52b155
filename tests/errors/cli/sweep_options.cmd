litscope verify -family 2x1 -expect litmus/rsp/expected.tsv -o $TMP/x
