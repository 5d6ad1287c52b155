# SPDX-License-Identifier: MIT
# What each construct of each reader and writer costs: twice as much of it takes less than three times as long. Sizes
# double until that takes a second, or until the text is refused for its size; GROWTH_ONLY=PATTERN chooses some.
exec perl -- - "$TMP" "${GROWTH_ONLY:-.}" <<'PERL'
use strict;
use warnings;
my ($folder, $only) = @ARGV;
my $head = "OpenCL t\n{ [x]=0; }\nP0 (global atomic_int* x) {\n";
my $mapping = "<mapping name=\"m\"><title>t</title><about>a</about>\n";
my $load = '<operation kind="load" scope="dev" order="acq" remote="no"><ld/></operation>';
sub slurp { open my $in, '<', $_[0] or die "$_[0]: $!\n"; local $/; return <$in> }
sub times_of { my ($n, $text) = @_; return $text x $n }
sub each_of { my ($n, $text, $join) = @_; return join $join // '', map { $text =~ s/%/$_/gr } 1 .. $n }
sub record { return "Test t$_[0] Allowed\nStates 1\n0:r=$_[1];\nOk\nWitnesses\nPositive: 1 Negative: 0\n" .
  "Condition exists (0:r=1)\nObservation t$_[0] Sometimes 1 0\n\n" }
my $amd = "AMDGPU t\n\"by llvm-15 15.0.6\"\ntarget gfx1030\n{ x=0; 0:s[4:5]=kernarg; }\nkernarg { 0x0 out, 0x8 x }\nP0 {\n";
my $timing = slurp('mappings/timing-rsp.xml');
my ($check, $dump) = ('check -timeout 20 -max-events 4 F', 'check -dump program F');
my ($ptx, $gfx) = map { slurp("tests/compilers/written/$_") } 'bare.ptx', 'gfx942.s';
my $llvm = `litscope list targets` =~ /llvm-\d/;
my $compiled = 'tests/compilers/MP_dev.litmus';
# A name, the file's ending, the command, in which F is the file, and its text, from a size; a list: files of a folder.
my @constructs = (
  ['statements', 'litmus', $dump, sub { $head . times_of($_[0], "*x = 1;\n") . "}\nexists (x=1)\n" }],
  ['statements checked', 'litmus', $check, sub { $head . times_of($_[0], "*x = 1;\n") . "}\nexists (x=1)\n" }],
  ['branches', 'litmus', $dump, sub { "$head int r = *x;\n" . times_of($_[0], "if (r) { *x = 1; } else { *x = 2; }\n") . "}\nexists (x=1)\n" }],
  ['branches translated', 'litmus', 'translate -mapping opencl-ptx F', sub { "$head int r = *x;\n" . times_of($_[0], "if (r) { r = 1; } else { *x = 2; }\n") . "}\nexists (x=1)\n" }],
  ['registers', 'litmus', $dump, sub { $head . each_of($_[0], "int r% = *x;\n") . "}\nexists (x=1)\n" }],
  ['one long line', 'litmus', $check, sub { $head . times_of($_[0], '*x = 1; ') . " ? \n}\nexists (x=1)\n" }],
  ['an expression', 'litmus', $dump, sub { $head . '*x = 1' . times_of($_[0], ' + 1') . ";\n}\nexists (x=1)\n" }],
  ['a long name', 'litmus', $dump, sub { "$head int " . ('r' x $_[0]) . " = *y;\n}\nexists (x=1)\n" }],
  ['comments', 'litmus', $dump, sub { $head . times_of($_[0], "/* a */ // b\n (* c *) ") . "*x = 1;\n}\nexists (x=1)\n" }],
  ['open comments', 'litmus', $dump, sub { $head . times_of($_[0], '(* ') . "\n}\nexists (x=1)\n" }],
  ['locations', 'litmus', $dump, sub { "OpenCL t\n{ " . each_of($_[0], '[x%]=%; ') . "}\nP0 (global int* x1) { *x1 = 1; }\nexists ([x1]=1)\n" }],
  ['locations of C', 'litmus', $dump, sub { "C t\n{ " . each_of($_[0], 'x%=%; ') . "}\nP0 (int* x1) { *x1 = 1; }\nexists (x1=1)\n" }],
  ['an array', 'litmus', $dump, sub { "OpenCL t\n{ int x[$_[0]]; }\nP0 (global int* x) { x[0] = 1; }\nexists (x[0]=1)\n" }],
  ['observed locations', 'litmus', $dump, sub { "$head *x = 1; }\nlocations [" . times_of($_[0], 'x; ') . "]\nexists (x=1)\n" }],
  ['a conjunction', 'litmus', $check, sub { "$head int r = *x; }\nexists (" . each_of($_[0], '0:r=%', ' /\ ') . ")\n" }],
  ['a disjunction', 'litmus', $check, sub { "$head int r = *x; }\nexists (" . each_of($_[0], '0:r=%', ' \/ ') . ")\n" }],
  ['negations', 'litmus', $check, sub { "$head int r = *x; }\nexists (" . times_of($_[0], '~') . "0:r=0)\n" }],
  ['threads', 'litmus', $dump, sub { "OpenCL t\n{ [x]=0; }\n" . each_of($_[0], "P% (global int* x) { *x = 1; }\n") . "exists (x=1)\n" }],
  ['parameters', 'litmus', $dump, sub { "OpenCL t\n{ [x]=0; }\nP0 (" . each_of($_[0], 'global int* x%', ', ') . ") { *x1 = 1; }\nexists (x1=1)\n" }],
  ['a scope tree', 'litmus', $dump, sub { "$head *x = 1; }\nscopeTree (device " . times_of($_[0], '(work_group P0) ') . ")\nexists (x=1)\n" }],
  ['rows of HSA', 'litmus', $dump, sub { "HSA t\n{ x=0; }\n P0 ;\n" . each_of($_[0], " L%: cbr r0, L1 ;\n") . "exists (0:r0=1)\n" }],
  ['rows of PTX', 'litmus', $dump, sub { "PTX t\n{ x=0; }\n P0\@cta 0,gpu 0 ;\n" . times_of($_[0], " st.weak x, 1 ;\n") . "exists (x=1)\n" }],
  ['columns of PTX', 'litmus', $dump, sub { "PTX t\n{ x=0; }\n" . join('|', map { " P$_\@cta $_,gpu 0 " } 0 .. $_[0]) . ";\n" . join('|', map { ' st.weak x, 1 ' } 0 .. $_[0]) . ";\nexists (x=1)\n" }],
  ['rows of Vulkan', 'litmus', $dump, sub { "VULKAN t\n{ x=0; }\n P0\@sg 0,wg 0,qf 0 ;\n" . times_of($_[0], " st.nonpriv.sc0 x, 1 ;\n") . "exists (x=1)\n" }],
  ['statements of ADSM', 'litmus', $dump, sub { "ADSM t\n{ x:1 }\nP0 {\n" . times_of($_[0], " x = 1;\n") . "}\nforall (x=1)\n" }],
  ['kernels of ADSM', 'litmus', $dump, sub { "ADSM t\n{ x:1 }\n" . each_of($_[0], "kernel k% { x = 1; }\n") . "P0 { call k1; sync; }\nforall (x=1)\n" }],
  ['objects of ADSM', 'litmus', $dump, sub { "ADSM t\n{ " . each_of($_[0], 'x%:1 ') . "}\nP0 { x1 = 1; }\nforall (x1=1)\n" }],
  ['code of AMD', 'litmus', 'explore -timeout 20 F', sub { $amd . times_of($_[0], " s_nop 0\n") . " s_endpgm\n}\nexists (x=1)\n" }],
  ['labels of AMD', 'litmus', 'explore -timeout 20 F', sub { $amd . each_of($_[0], " s_cbranch_execz .L%\n.L%:\n") . " s_endpgm\n}\nexists (x=1)\n" }],
  ['macros', 'def', "check -timeout 20 -macros F $compiled", sub { each_of($_[0], "m%(X) __load{once}(X)\n") }],
  ['annotations', 'bell', "check -timeout 20 -bell F $compiled", sub { "\"b\"\nenum A = " . each_of($_[0], "'a%", ' || ') . "\ninstructions R[A]\n" }],
  ['definitions', 'cat', "check -model F $compiled", sub { "\"m\"\nlet r0 = po\n" . join('', map { "let r$_ = r" . ($_ - 1) . " | rf\n" } 1 .. $_[0]) . "acyclic r$_[0] as c\n" }],
  ['definitions without use', 'cat', "check -model F $compiled", sub { "\"m\"\n" . each_of($_[0], "let r% = po | rf\n") . "acyclic po as c\n" }],
  ['checks', 'cat', "check -model F $compiled", sub { "\"m\"\n" . each_of($_[0], "acyclic po | rf as c%\n") }],
  ['a union', 'cat', "check -model F $compiled", sub { "\"m\"\nacyclic " . join(' | ', map { 'po' } 0 .. $_[0]) . " as c\n" }],
  ['a sequence', 'cat', "check -model F $compiled", sub { "\"m\"\nacyclic " . join(';', map { 'po' } 0 .. $_[0]) . " as c\n" }],
  ['a recursion', 'cat', "check -model F $compiled", sub { "\"m\"\nlet rec r0 = rf and " . join(' and ', map { "r$_ = po | r0" } 1 .. $_[0]) . "\nacyclic r1 as c\n" }],
  ['functions', 'cat', "check -model F $compiled", sub { "\"m\"\n" . each_of($_[0], "let f%(r) = r | po\n") . "acyclic f1(rf) as c\n" }],
  ['comments of models', 'cat', "check -model F $compiled", sub { "\"m\"\n" . times_of($_[0], "(* (* a *) *)\n") . "acyclic po as c\n" }],
  ['unknown names of models', 'cat', "check -model F $compiled", sub { "\"m\"\n" . each_of($_[0], "let r% = unknown%\n") . "acyclic po as c\n" }],
  ['operations of a mapping', 'xml', 'compile -mapping F litmus/rsp/RSP_Test2.litmus', sub { $mapping . times_of($_[0], "$load\n") . "</mapping>\n" }],
  ['unknown elements', 'xml', 'compile -mapping F litmus/rsp/RSP_Test2.litmus', sub { $mapping . times_of($_[0], "<operatio/>\n") . "</mapping>\n" }],
  ['steps of a mapping', 'xml', 'compile -mapping F litmus/rsp/RSP_Test2.litmus', sub { $mapping . ($load =~ s{<ld/>}{'<inv cache="L1" target="dev"/>' x $_[0] . '<ld/>'}er) . "</mapping>\n" }],
  ['text of XML', 'xml', 'compile -mapping F litmus/rsp/RSP_Test2.litmus', sub { $mapping =~ s/>a</'>' . 'a b ' x $_[0] . '<'/er . "$load</mapping>\n" }],
  ['comments of XML', 'xml', 'compile -mapping F litmus/rsp/RSP_Test2.litmus', sub { $mapping . times_of($_[0], "<!-- a - b -->\n") . "$load</mapping>\n" }],
  ['parameters of a machine', 'xml', 'cost rsp-ops -machine F', sub { my $n = $_[0]; $timing =~ s{(?=</timing>|</machine>)}{each_of($n, "<parameter name=\"p%\" value=\"%\"/>\n")}er }],
  ['names', 'names', 'check -names F litmus/rsp/RSP_Test2.litmus', sub { each_of($_[0], "name%\n") }],
  ['kinds', 'kinds', 'check -kinds F litmus/rsp/RSP_Test2.litmus', sub { each_of($_[0], "name% Allowed\n") }],
  ['conditions', 'conds', 'check -conds F litmus/rsp/RSP_Test2.litmus', sub { each_of($_[0], "name% \"exists (0:r=%)\"\n") }],
  ['new names', 'rename', 'check -rename F litmus/rsp/RSP_Test2.litmus', sub { each_of($_[0], "name% other%\n") }],
  ['options of a file', 'cfg', 'check -conf F litmus/rsp/RSP_Test2.litmus', sub { times_of($_[0], "hexa true\n") }],
  ['an index', 'index', 'check -q -names /dev/null @F', sub { my $here = `pwd` =~ s/\n//r; times_of($_[0] / 20, "$here/litmus/rsp/RSP_Test2.litmus\n") }],
  ['a log', 'log', 'compare F F', sub { join '', map { record($_, 1) } 1 .. $_[0] }],
  ['results of one test', 'log', 'compare F F', sub { join '', map { record(1, $_) } 1 .. $_[0] }],
  ['a sum', 'log', 'compare -sum F F', sub { join '', map { record($_ % 10, $_) } 1 .. $_[0] }],
  ['conditions of logs', 'log', 'compare -to-conds F F', sub { join '', map { record($_, 1) } 1 .. $_[0] }],
  ['states of a log', 'log', 'compare F F', sub { "Test t Allowed\nStates $_[0]\n" . each_of($_[0], "0:r=%;\n") . "Ok\nWitnesses\nPositive: 1 Negative: 0\nCondition exists (0:r=1)\nObservation t Sometimes 1 0\n\n" }],
  ['a table of results', 'tsv', 'check -expect F litmus/rsp/RSP_Test2.litmus', sub { "test\tmodel\tobservation\n" . each_of($_[0], "t%\tsc\tNever\n") }],
  ['a journal', 'journal', 'verify -family 2x1 -mapping rsp-original -journal F', sub { slurp("$folder/journal") . each_of($_[0], "part % 00000000 x\n") }],
  ['parts', 'parts', 'merge F', sub { my $parts = slurp("$folder/parts"); my ($line) = $parts =~ /^(part 0 .*\n)/m; $parts . times_of($_[0] / 10, $line) }],
  ['a graph of DIMACS', 'gr', 'cost gpu-steal -timeout 0.1 -params program=sssp,file=F', sub { "p sp $_[0] $_[0]\n" . join('', map { 'a ' . (1 + $_ % $_[0]) . ' ' . (1 + $_ * 7 % $_[0]) . " 3\n" } 1 .. $_[0]) }],
  ['a matrix', 'mtx', 'cost gpu-steal -timeout 0.1 -params program=sssp,file=F', sub { "%%MatrixMarket matrix coordinate integer general\n$_[0] $_[0] $_[0]\n" . join('', map { (1 + $_ % $_[0]) . ' ' . (1 + $_ * 7 % $_[0]) . " 3\n" } 1 .. $_[0]) }],
  ['a star', 'gr', 'cost gpu-steal -timeout 0.1 -params program=sssp,file=F', sub { "p sp $_[0] $_[0]\n" . join('', map { "a 1 $_ 3\n" } 1 .. $_[0]) }],
  ['a trace', 'trace', 'cost replay -timeout 0.1 -trace F', sub { "litscope-trace 1\nthreads 2\nwords 64\n" . times_of($_[0], "0 compute 1\n") }],
  ['a trace compressed', 'trace.gz', 'cost replay -timeout 0.1 -trace F', sub { "litscope-trace 1\nthreads 2\nwords 64\n" . times_of($_[0], "0 compute 1\n") }],
  ['a cycle', 'edges', 'gen -q -cycle E', sub { times_of($_[0] / 100 < 4 ? 4 : $_[0] / 100, 'PodWW Rfe PodRR Fre ') }],
  ['safe edges', 'edges', "gen -q -cycles 2 -safe 'E'", sub { times_of($_[0] / 10, 'PodWW,') . 'Rfe' }],
    ['words of a list', 'edges', "check -oknames 'E' litmus/rsp/RSP_Test2.litmus", sub { each_of($_[0] / 10, 'a%', ',') }],
  ['JSON and JUnit', 'folder', "check -q -json $folder/json -junit $folder/junit F", sub { $_[0] / 50 }],
  ['tables of CSV', 'folder', 'cost mapping -csv -j 1 F', sub { $_[0] / 200 }],
  ['certificates written', 'folder', "check -q -certify $folder/certificate F", sub { $_[0] / 100 }],
  $llvm ? (['PTX of a compiler', 'ptx', "verify -q -timeout 5 -target sm_70 -compiler F $compiled", sub { $ptx =~ s/(?=\tst\.global\.u32 \t\[%rd3\])/"\tmov.u32 \t%r9, 1;\n" x $_[0]/er }],
  ['code of a compiler', 's', "verify -q -timeout 5 -target gfx942 -compiler F $compiled", sub { $gfx =~ s/(?=\tbuffer_wbl2)/"\ts_nop 0\n" x $_[0]/er }]) : (),
);
system "cd '$folder' && litscope verify -family 2x1 -mapping rsp-original -journal journal >/dev/null 2>&1; cp journal parts";
sub make_folder {
  my ($n) = @_;
  system 'rm', '-rf', "$folder/tests";
  mkdir "$folder/tests";
  my $text = slurp('litmus/rsp/RSP_Test2.litmus');
  for my $i (1 .. $n) {
    open my $out, '>', "$folder/tests/$i.litmus" or die $!;
    print $out $text =~ s/RSP_Test2/T$i/r;
  }
  return "$folder/tests";
}
# Processor seconds of a construct of a size, the status and what was said.
sub measure {
  my ($construct, $n) = @_;
  my ($name, $ending, $command, $make) = @$construct;
  my $text = $make->($n);
  my $path = $ending eq 'folder' ? make_folder($text) : "$folder/t.$ending";
  if ($ending ne 'folder') {
    open(my $out, $ending =~ /gz$/ ? "| gzip -c >$path" : ">$path") or die "$path: $!\n";
    print $out $text;
    close $out;
  }
  my $cut = $ending eq 'edges' && length $text > 100000;    # no argument is longer
  my $line = $command =~ s/\bF\b/$path/gr =~ s/'E'|\bE\b/'$text'/r;
  my $least;
  for (1 .. 2) {
    my ($user, $system) = (times)[2, 3];
    system "timeout 60 litscope $line >$folder/out 2>$folder/err </dev/null" if !$cut;
    my @after = (times)[2, 3];
    my $took = $after[0] - $user + $after[1] - $system;
    $least = $took if !defined $least || $took < $least;
    last if $took > 2;
  }
  return ($least, $cut ? 2 : $? & 127 ? -1 : $? >> 8, substr slurp("$folder/err"), 0, 200);
}
my $failed = 0;
for my $construct (grep { $_->[0] =~ /$only/ } @constructs) {
  my ($n, $before, $said) = (500, 0, '');
  for (;; $n *= 2) {
    my ($took, $status, $words) = measure($construct, $n);
    my $ratio = $before > 0.05 ? $took / $before : 0;
    $said = sprintf '%-28s %8d %6.2f s  %4.1f  status %d', $construct->[0], $n, $took, $ratio, $status;
    $failed++, $said .= '  GROWS' if $ratio >= 3 || $status < 0 || $status > 3;
    my $end = $words =~ /larger than|more than|too deep|deeply|too many|MiB|too long|has no room/ || ($took > 1 && $ratio) || $n > 200000 || $said =~ /GROWS/;
    $said .= "  $1" if $end && $words =~ /(error: .*)/;
    last if $end;
    $before = $took;
  }
  print substr($said, 0, 150), "\n";
}
exit($failed ? 1 : 0);
PERL
