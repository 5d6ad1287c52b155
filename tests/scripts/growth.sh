# SPDX-License-Identifier: MIT
# slow
# Inputs on which a reader once took time by the square of their size: each is so
# large that it would take minutes of a processor, and takes a second or two; and calls that write, once a thousand for
# each message, are counted.  ../long/growth.sh measures every construct.
set -u
head='OpenCL t
{ [x]=0; }
P0 (global atomic_int* x) {'
make() { # WHAT COUNT
  perl -e 'my ($what, $n, $head) = @ARGV;
    print "$head\n", "(* " x $n, "\n}\nexists (0:r0=1)\n" if $what eq "comments";
    print "$head *x = 1; }\nexists (", join(" /\\ ", map { "0:r$_=1" } 1 .. $n), ")\n" if $what eq "registers";
    my $mapping = "<mapping name=\"m\"><title>t</title><about>a</about>\n";
    print $mapping, "<operatio/>\n" x $n, "</mapping>\n" if $what eq "unknown";
    print $mapping, "<operation kind=\"fence\"/>\n" x $n, "</mapping>\n" if $what eq "operations";
    print "$head\n", "*x = 1;\n" x $n, "}\nexists (x=1)\n" if $what eq "statements";
    print "$head\nint r = *x;\n", "if (r) { r = r + 1; } else { *x = 2; }\n" x $n, "}\nexists (x=1)\n" if $what eq "branches";
    print "HSA t\n{ x=0; }\n P0 ;\n", (map { " L$_: cbr r0, L1 ;\n" } 1 .. $n), "exists (0:r0=1)\n" if $what eq "labels";
    print "AMDGPU t\n\"by llvm-15 15.0.6\"\ntarget gfx1030\n{ x=0; 0:s[4:5]=kernarg; }\nkernarg { 0x0 out, 0x8 x }\nP0 {\n",
      (map { " s_cbranch_execz .L$_\n.L$_:\n" } 1 .. $n), " s_endpgm\n}\nexists (x=1)\n" if $what eq "assembly";
    print "; \@Config: 1, 1, 1\n; \@Output: forall (\%a[0] == 1)\nOpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n",
      "OpEntryPoint Kernel %f \"f\"\n%v = OpTypeVoid\n%u = OpTypeInt 32 0\n%p = OpTypePointer CrossWorkgroup %u\n",
      "%t = OpTypeFunction %v %p\n", (map { "%c$_ = OpConstant %u $_\n" } 1 .. $n), "%f = OpFunction %v None %t\n",
      "%a = OpFunctionParameter %p\n%l = OpLabel\n",
      (map { "%p$_ = OpInBoundsPtrAccessChain %p %a %c$_\nOpStore %p$_ %c1\n" } 1 .. $n), "OpReturn\nOpFunctionEnd\n" if $what eq "elements";
    print "p sp $n $n\n", map { "a " . (1 + $_ % $n) . " " . (1 + $_ * 7 % $n) . " 3\n" } 1 .. $n if $what eq "graph";
    print "litscope-trace 1\nthreads 2\nwords 64\n", "0 compute 1\n" x $n if $what eq "trace";
    print map { "Test t$_ Allowed\nStates 1\n0:r=1;\nOk\nWitnesses\nPositive: 1 Negative: 0\n" .
      "Condition exists (0:r=1)\nObservation t$_ Sometimes 1 0\n\n" } 1 .. $n if $what eq "records"' "$1" "$2" "$head"
}
failed=0
within() { # WHAT COUNT SUFFIX COMMAND...
  what=$1
  make "$1" "$2" >"$TMP/t.$3"
  shift 3
  # The shell's own account has what it waited for.
  (ulimit -t 100 && sh -c '"$@"; status=$?; cat /proc/$$/io >"$0"; exit $status' "$TMP/io" "$@") >"$TMP/out" 2>"$TMP/err"
  status=$?
  [ $status -lt 124 ] || { echo "$what: status $status"; failed=1; }
  writes=$(sed -n 's/^syscw: //p' "$TMP/io")
  [ "${writes:-0}" -le $((100 + $(cat "$TMP/out" "$TMP/err" | wc -c) / 1000)) ] || { echo "$what: $writes calls that write"; failed=1; }
}
within comments 300000 litmus litscope check "$TMP/t.litmus"
within registers 20000 litmus litscope check "$TMP/t.litmus"
grep -q "P0 has more than 1000 registers already, and no 'r1001'" "$TMP/err" || { echo "registers without number"; failed=1; }
within labels 42000 litmus litscope check -dump program "$TMP/t.litmus"
grep -q 'goto 0$' "$TMP/out" || { echo "labels are not read"; failed=1; }
within unknown 80000 xml litscope compile -mapping "$TMP/t.xml" litmus/rsp/RSP_Test2.litmus
within operations 20000 xml litscope compile -mapping "$TMP/t.xml" litmus/rsp/RSP_Test2.litmus
within statements 90000 litmus litscope compile -mapping opencl-ptx "$TMP/t.litmus"
within branches 20000 litmus litscope compile -mapping opencl-ptx "$TMP/t.litmus"
make statements 100001 >"$TMP/t.litmus"
litscope check "$TMP/t.litmus" 2>&1 | grep -q 'P0 has more than 100000 instructions' || { echo "instructions without number"; failed=1; }
within assembly 20000 litmus litscope explore -max-states 100 "$TMP/t.litmus"
within elements 16000 spvasm litscope check -dump program "$TMP/t.spvasm"
grep -q 'a has no @Input: it is taken to be as long as it is used, 16001 elements' "$TMP/err" || { echo "elements without number"; failed=1; }
within graph 200000 gr litscope cost gpu-steal -timeout 0.1 -params "program=sssp,file=$TMP/t.gr"
within trace 200000 trace litscope cost replay -timeout 0.1 -trace "$TMP/t.trace"
within records 50000 log litscope compare "$TMP/t.log" "$TMP/t.log"
exit $failed
