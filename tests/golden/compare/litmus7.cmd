# Runs on hardware, two of them of one test: less is seen than is allowed.
litscope check -select "^(2.2W_sc|SB_sc|SB_rel_acq|WRC_rel_acq)$" litmus/c11 >$TMP/model
litscope compare $TMP/model tests/golden/compare/logs/litmus7-c11.log
