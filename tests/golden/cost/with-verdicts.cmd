for command in check explore verify; do litscope $command -cost -params n=4,q=3 -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus | grep -v "^Hash"; done
