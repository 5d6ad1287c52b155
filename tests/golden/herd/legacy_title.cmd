# A model that begins with the bare word OpenCL is the 2015 herd's: an ordinary access, an initial write too, has its
# work-item's scope, and so is no race with itself.  With a title in quotes it is anybody's.
dir=tests/golden/herd
sed 's/^OpenCL$/"OpenCL"/' $dir/legacy_title.cat >$TMP/quoted.cat
litscope check -model $dir/legacy_title.cat,$TMP/quoted.cat $dir/one_load.litmus litmus/opencl/MP_wi_same.litmus |
  grep -E '^(Flag|Bad|Obs)'
