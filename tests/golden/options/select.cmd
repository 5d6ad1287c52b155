litscope -select '^RSP_Test1[0-2]$' litmus/rsp | grep '^Observation'
