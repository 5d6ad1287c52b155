# Indexes of indexes that come to more tests than anybody has.
perl -e 'print "\@i2\n" x 501' >$TMP/i1
perl -e 'print "x.litmus\n" x 500' >$TMP/@i2
litscope check @$TMP/i1
