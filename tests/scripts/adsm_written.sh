# SPDX-License-Identifier: MIT
# slow
# All programs of four operations with calls that say what their kernel writes: those
# that the model calls legal have one outcome under every protocol, also where blocks
# are evicted, though the host reads what a kernel only reads while it runs.
perl -e '
  my @operations = ("x[0] = %d;", "r%d = x[0];", "r%d = x[1];", "y = %d;", "r%d = y;", "call k writes y;",
    "call l writes x;", "call l;", "sync;");
  for my $number (0 .. @operations**4 - 1) {
    my ($rest, $reads, @body) = ($number, 0);
    for my $i (1 .. 4) {
      my $operation = $operations[$rest % @operations];
      $rest = int($rest / @operations);
      push @body, sprintf($operation, $operation =~ /^r/ ? $reads++ : $i);
    }
    next unless $reads && grep { /writes/ } @body;
    open my $out, ">", "$ARGV[0]/W$number.litmus" or die;
    print $out "ADSM W$number\n{ x:2; y:1 }\nkernel k { y = x[0] + 10; }\nkernel l { x[1] = y + 20; }\n";
    print $out "P0 { @body }\nforall (true)\n";
  }' "$TMP" || exit 1
litscope verify -fail-on nothing -machine batch,lazy,rolling "$TMP" >"$TMP/log" || exit 1
litscope verify -fail-on nothing -machine rolling -knob rolling=1 "$TMP" >>"$TMP/log" || exit 1
sed -n 's/^Verify [^ ]* //p' "$TMP/log" | sort | uniq -c | sed 's/^ *//' >"$TMP/counts"
diff - "$TMP/counts" <<END
1284 adsm-batch Sound
1836 adsm-batch Undefined
1284 adsm-lazy Sound
1836 adsm-lazy Undefined
2568 adsm-rolling Sound
3672 adsm-rolling Undefined
END
