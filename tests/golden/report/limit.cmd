# A page whose answers are cut short says so, and so does the command.
litscope report -q -max-events 3 -o "$TMP" litmus/rsp/RSP_Test2.litmus
