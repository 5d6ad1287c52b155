litscope cost fear-check -csv -max-states 1000 -params program=3+3; echo status $?
