# A run that a limit keeps from being a shortest one says so.
litscope explore -max-states 200 -mapping rsp-original -outcome true litmus/rsp/RSP_Test2.litmus | grep '^Run'
litscope verify -max-states 200 -mapping rsp-original litmus/rsp/RSP_Test2.litmus | grep '^Verify'
