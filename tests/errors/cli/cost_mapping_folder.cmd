litscope cost mapping -csv -o $TMP/x litmus/rsp/RSP_Test2.litmus
