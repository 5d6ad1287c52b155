# Standing still with one class of messages, never with two; and the shortest run to it.
litscope cost fear-network -csv
litscope cost fear-network -trace -params program=1+1,W=3,classes=1 | sed -n '/^Stuck/,$p'
litscope cost fear-network -csv -max-states 100 -params program=xy+yx; echo status $?
