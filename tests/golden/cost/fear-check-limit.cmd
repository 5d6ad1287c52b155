litscope cost fear-check -max-memory 1 -params program=3+3+3 >$TMP/out; echo status $?; grep -c "limit" $TMP/out
