# An update that only the L2 shows to be lost: the answers differ, but an old write-back comes last.
litscope cost fear-check -params program=2,spec=0,piggy=0 -trace
