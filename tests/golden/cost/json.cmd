for arguments in "amo-lat" "rsp-ops -params n=2,q=1,q1=3 -mapping rsp-revised" "fear-check -trace -params program=1+1,epoch=0"; do
  litscope cost $arguments -json | sed "s/\"litscope\": \"[^\"]*\", //"
done
