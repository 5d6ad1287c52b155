cp litmus/rsp/RSP_Test2.litmus $TMP/-odd.litmus
cd $TMP && litscope --model=sc -- -odd.litmus | grep "^Observation"
