# SPDX-License-Identifier: MIT
# plain
# Random ADSM programs: kernels, memset and memcpy, lifetimes and branches in one
# host thread, with calls that say what they write, two accelerators and addresses that
# differ on these; two host threads with objects and kernels of their own, and with objects
# that one of them hands to kernels and both may use.  Under
# every protocol and size each must be sound, or undefined; and enough of them
# must be sound for that to mean something.
perl -e '
  my $state = 20100313;
  sub any { $state = ($state * 1103515245 + 12345) % 2147483648; return int($state / 65536) % $_[0] }
  sub pick { return $_[any(scalar @_)] }
  my @cells = ("x[0]", "x[1]", "x[2]", "y[0]", "y[1]", "z");
  my %size = (x => 3, y => 2, z => 1);
  sub value { return pick(any(9) + 1, pick(@cells), pick(@cells) . " + " . pick(@cells), "10 * " . pick(@cells)) }
  sub writes {
    my ($body) = @_;
    my %written = map { $_ => 1 } $body =~ /(?:^|; )(\w)(?:\[\d\])? =/g;
    return join ", ", %written ? sort keys %written : "z";
  }
  sub kernel { return join " ", map { pick(@cells) . " = " . value() . ";" } 0 .. any(2) }
  my $reads = 0;
  my $late; # there is w, which is allocated and freed
  my $elsewhere; # y lies on the second accelerator, where l runs
  my ($given, $annotated); # l has parameters; what k and l write, where calls say it
  sub call {
    my $name = pick("k", "l");
    my $call = "call $name";
    $call .= pick("(x, safe(y))", "(safe(x), safe(y))", "(safe(x), y)") if $name eq "l" && $given;
    $call .= " writes " . (any(8) ? $annotated->{$name} : pick("x", "y, z", "z")) if $annotated && any(3);
    return "$call;";
  }
  sub statement {
    my ($depth) = @_;
    my $kind = any(16);
    return pick(@cells) . " = " . value() . ";" if $kind < 4;
    return "r" . $reads++ . " = " . pick(@cells) . ";" if $kind < 7;
    return call() . " sync;" if $kind < 11;
    return pick(call(), call(), "sync;", call() . " " . call() . " sync;") if $kind < 12;
    return pick("memset x, ", "memset x[1..2], ", "memset y[0], ", "memset z, ") . value() . ";" if $kind < 13;
    return pick("memcpy y, x[0..1];", "memcpy x[1..2], y;", "memcpy z, x[2];") if $kind < 14;
    return pick("free w; alloc w; w = 1;", "sync; free w; alloc w; w = " . value() . ";") if $kind < 15 && $late;
    return "if (" . pick(@cells) . " > " . any(4) . ") { " . statement(1) . " }" unless $depth;
    return "sync;";
  }
  for my $number (1 .. 300) {
    $reads = 0;
    my $shape = pick("x:3; y:2; z:1", "x:3 = {1, 2, 3}; y:2; z:1", "x:3; y:2; z:1 for k");
    $shape =~ s/ for k// if any(2);
    $late = !any(3);
    $shape .= "; w:1" if $late;
    $elsewhere = !any(4);
    $given = !any(4);
    $annotated = undef;
    $shape =~ s/y:2/y:2 on 1/ if $elsewhere;
    $shape =~ s/y:2/safe y:2/ if $given;
    @cells = ("x[0]", "x[1]", "x[2]", "y[0]", "y[1]", "z", $late ? "w" : ());
    open my $out, ">", "$ARGV[0]/R$number.litmus" or die;
    my ($k, $l) = (kernel(), kernel());
    my @all = @cells;
    @cells = grep { /^y/ } @cells if $elsewhere;
    $l = kernel() if $elsewhere;
    @cells = grep { !/^y/ } @all if $elsewhere;
    $k = kernel() if $elsewhere;
    @cells = @all;
    $annotated = {k => writes($k), l => writes($l)} if !any(3);
    $l =~ s/\bx\[/p[/g, $l =~ s/\by\[/q[/g if $given;
    my $parameters = ($given ? "(p, q)" : "") . ($elsewhere ? " on 1" : "");
    print $out "ADSM R$number\n{ $shape }\nkernel k { $k }\nkernel l$parameters { $l }\nP0 {\n";
    print $out "  alloc w; w = 2;\n" if $late;
    print $out "  ", statement(0), "\n" for 1 .. 4 + any(5);
    print $out "}\nforall (true)\n";
  }
  # What a host thread does with its own object.
  sub own {
    my ($object, $kernel) = @_;
    my $cell = sub { $object . "[" . any(2) . "]" };
    return join "", map { "  " . pick($cell->() . " = " . any(9) . ";", "r" . $reads++ . " = " . $cell->() . ";",
      "call $kernel; sync;", "call $kernel; call $kernel; sync;") . "\n" } 1 .. 4;
  }
  # Two host threads: P0 calls a kernel of x; P1 uses x, perhaps, and what is its own.
  for my $number (1 .. 40) {
    open my $out, ">", "$ARGV[0]/S$number.litmus" or die;
    my $body = sub { join "", map { "  " . pick(@_) . "\n" } 1 .. 3 };
    print $out "ADSM S$number\n{ x:2 for k; y:1 for l; z:1 for k }\nkernel k { x[0] = x[1] + z; }\nkernel l { y = y + 1; }\n";
    print $out "P0 {\n", $body->("x[1] = 1;", "r = x[0];", "call k; sync;", "call k writes x; sync;", "r = z;"), "}\n";
    print $out "P1 {\n", $body->("y = 2;", "q = z;", "q = y;", "call l; sync;", any(2) ? "z = 1;" : "q = x[1];"), "}\n";
    print $out "forall (true)\n";
  }
  for my $number (1 .. 60) {
    open my $out, ">", "$ARGV[0]/T$number.litmus" or die;
    print $out "ADSM T$number\n{ x:2 for k; y:2 for l }\nkernel k { x[0] = x[1] + 1; }\nkernel l { y[1] = 2 * y[0]; }\n";
    print $out "P0 {\n", own("x", "k"), "}\nP1 {\n", own("y", "l"), "}\nforall (true)\n";
  }' "$TMP" || exit 1

for machine in "batch,lazy,rolling" "rolling -knob block=1,rolling=1" "rolling -knob block=2,rolling=1" \
  "rolling -knob block=2,rolling=2" "rolling -knob block=3"; do
  litscope verify -fail-on nothing -machine $machine "$TMP" >"$TMP/log" 2>"$TMP/errors"
  status=$?
  if [ $status != 0 ] || grep -E '^Verify \S+ \S+ (Unsound|Deadlock|Undecided)' "$TMP/log"; then
    echo "-machine $machine: status $status"
    head -n 5 "$TMP/errors"
    exit 1
  fi
  sound=$(grep -c '^Verify .* Sound' "$TMP/log")
  if [ "$sound" -lt 60 ]; then
    echo "-machine $machine: only $sound sound"
    exit 1
  fi
done
