litscope cost fear-check -trace -params program=1+1,spec=1,epoch=0; echo status $?
