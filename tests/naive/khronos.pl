#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Khronos' formalisation of the Vulkan memory model (alloy/spirv.als of KhronosGroup/Vulkan-MemoryModel, May 2025),
# or, with -text, the appendix "Memory Model" of the Vulkan specification itself (August 2026), evaluated by trying all
# executions; and random tests in that format.  Written from spirv.als and litmus.cpp, and from the appendix, alone; it
# shares nothing with the checker.
#
# usage: khronos.pl -make FOLDER SEED COUNT      writes tests with assertions about every kind of execution
#        khronos.pl [-text] FILE.test...         TEST NUMBER Ok|No, for each assertion, or why not
use strict;
use warnings;

# ---- relations: a bit set for each event ----

my $n;       # events
my $text;    # the appendix, not spirv.als, whose sections are named below

sub compose {
  my ($x, @rest) = @_;
  for my $y (@rest) {
    my @to = (0) x $n;
    for my $i (0 .. $n - 1) {
      for my $j (0 .. $n - 1) { $to[$i] |= $y->[$j] if $x->[$i] >> $j & 1 }
    }
    $x = \@to;
  }
  return $x;
}
sub either { my @r = (0) x $n; for my $x (@_) { $r[$_] |= $x->[$_] for 0 .. $n - 1 } return \@r }
sub both { my ($x, @rest) = @_; my @r = @$x; for my $y (@rest) { $r[$_] &= $y->[$_] for 0 .. $n - 1 } return \@r }
sub less { my ($x, $y) = @_; return [map { $x->[$_] & ~$y->[$_] } 0 .. $n - 1] }
sub inverse {
  my ($x) = @_;
  my @r = (0) x $n;
  for my $i (0 .. $n - 1) { for my $j (0 .. $n - 1) { $r[$j] |= 1 << $i if $x->[$i] >> $j & 1 } }
  return \@r;
}
sub closure {
  my ($x) = @_;
  my @r = @$x;
  for my $k (0 .. $n - 1) { for my $i (0 .. $n - 1) { $r[$i] |= $r[$k] if $r[$i] >> $k & 1 } }
  return \@r;
}
sub identity { my ($set) = @_; return [map { $set & 1 << $_ } 0 .. $n - 1] }
sub product { my ($s, $t) = @_; return [map { $s >> $_ & 1 ? $t : 0 } 0 .. $n - 1] }
sub maybe { return either($_[0], identity((1 << $n) - 1)) }
sub two_ways { return either($_[0], inverse($_[0])) }
sub is_empty { return !grep { $_ } @{$_[0]} }
sub is_acyclic { my $c = closure($_[0]); return !grep { $c->[$_] >> $_ & 1 } 0 .. $n - 1 }

# ---- tests ----

sub read_test {
  my ($file) = @_;
  open my $in, '<', $file or die "$file: $!\n";
  my (@events, @ssw, @sloc, @assertions);
  my ($thread, $qf, $wg, $sg) = (-1, 0, 0, 0);
  while (<$in>) {
    s{\s*(?://.*)?\s*\z}{};
    next if $_ eq '';
    if (/^(SATISFIABLE|NOSOLUTION)\s+(NOCHAINS\s+)?(.*)/) { push @assertions, [$1 eq 'SATISFIABLE', !$2, $3]; next }
    if (/^SSW (\d+) (\d+)/) { push @ssw, [$1, $2]; next }
    if (/^SLOC (\w+) (\w+)/) { push @sloc, [$1, $2]; next }
    if (/^NEW(QF|WG|SG)/) { $sg++; $wg++ if $1 ne 'SG'; $qf++ if $1 eq 'QF'; next }
    if (/^NEWTHREAD *(\d*)/) { $thread = $1 eq '' ? $thread + 1 : $1; next }
    my ($words, $operand, $first, $second) = /^(\S+)(?: (\w+)(?: = (\d+)(?: (\d+))?)?)?$/ or die "$file: $_\n";
    my %word = map { $_ => 1 } split /[.]/, $words;
    @word{'ld', 'st', 'atom'} = (1) x 3 if $word{rmw};
    my $event = {word => \%word, name => $operand, thread => $thread, qf => $qf, wg => $wg, sg => $sg, operation => scalar @events,
      read => $word{ld} ? $first : undef, written => $word{ld} ? $second : $first};
    push @events, $text && $word{ld} && $word{st} ? halves($event) : $event;
  }
  return {events => \@events, ssw => \@ssw, sloc => \@sloc, assertions => \@assertions};
}

# A read-modify-write is a read and a write: each rule of the appendix is for the one that it names.
sub halves {
  my ($event) = @_;
  my @halves = map { my %half = (%$event, word => {%{$event->{word}}, rmw => 1}); \%half } 0, 1;
  delete @{$halves[0]{word}}{qw(st rel semav)};
  delete @{$halves[1]{word}}{qw(ld acq semvis)};
  return @halves;
}

sub pairs { my ($of, $test) = @_; return [map { my $a = $of->[$_]; my $r = 0; $test->($a, $of->[$_]) and $r |= 1 << $_ for 0 .. $n - 1; $r } 0 .. $n - 1] }

# ---- executions ----

# All ways to take one of each list.
sub choices {
  my ($head, @rest) = @_;
  return ([]) unless $head;
  return map { my $one = $_; map { [$one, @$_] } choices(@rest) } @$head;
}

# What a read may read from: writes, or -1, the initial value.  A value that it has decides.
sub sources {
  my ($e, $r, $sloc, $W) = @_;
  my @same = grep { $e->[$_]{operation} != $e->[$r]{operation} && $sloc->[$_] >> $r & 1 } grep { $W >> $_ & 1 } 0 .. $n - 1;
  my $value = $e->[$r]{read};
  return [@same, -1] unless defined $value;
  my @equal = grep { $e->[$_]{name} eq $e->[$r]{name} && ($e->[$_]{written} // -1) == $value } @same;
  return $value ? \@equal : @equal ? [] : [-1];
}

# Orders that relate exactly these pairs, one way each.  They need not be transitive, as spirv.als says of asmo:
# the specification has an order for each write (models/vulkan-chains.md).
sub orders {
  my ($related) = @_;
  my @pairs = map { my $a = $_; map { [$a, $_] } grep { $_ > $a && $related->[$a] >> $_ & 1 } 0 .. $n - 1 } 0 .. $n - 1;
  my @orders;
  for my $way (0 .. (1 << @pairs) - 1) {
    my @r = (0) x $n;
    for my $i (0 .. $#pairs) {
      my ($a, $b) = $way >> $i & 1 ? @{$pairs[$i]}[1, 0] : @{$pairs[$i]};
      $r[$a] |= 1 << $b;
    }
    push @orders, \@r if is_acyclic(\@r) && (!$text || is_empty(less(compose(\@r, \@r), \@r)));
  }
  return @orders;
}

# The kinds of execution that there are, "consistent racy", by whether there are chains.
sub worlds {
  my ($test) = @_;
  my $e = $test->{events};
  $n = @$e;
  my $all = (1 << $n) - 1;
  my $with = sub { my $s = 0; for my $w (@_) { $e->[$_]{word}{$w} and $s |= 1 << $_ for 0 .. $n - 1 } return $s };
  my ($W, $R, $A, $ACQ, $REL, $CBAR) = map { $with->($_) } qw(st ld atom acq rel cbar);
  my $F = $with->('membar') | ($CBAR & ($ACQ | $REL));
  my ($AV, $VIS) = ($with->('av') | ($A & $W), $with->('vis') | ($A & $R));
  my $NONPRIV = $with->('nonpriv') | $AV | $VIS | $A;
  my ($SC0, $SC1, $SEM0, $SEM1, $SEMAV, $SEMVIS) = map { $with->($_) } qw(sc0 sc1 semsc0 semsc1 semav semvis);
  my ($DV, $QF, $WG) = ($with->('scopedev'), $with->('scopedev', 'scopeqf'), $with->('scopedev', 'scopeqf', 'scopewg'));
  my $SG = $WG | $with->('scopesg');
  my ($AVD, $VISD) = map { $with->($_) } qw(avdevice visdevice);
  my %same;
  for my $of (qw(thread sg wg qf)) { $same{$of} = pairs($e, sub { $_[0]{$of} == $_[1]{$of} }) }
  my $po = [map { $same{thread}[$_] & ~((2 << $_) - 1) } 0 .. $n - 1];
  my $any = product($all, $all);
  my $named = sub { my ($a, $b) = @_; pairs($e, sub { ($_[0]{name} // '') eq $a && ($_[1]{name} // '') eq $b }) };
  my $accesses = identity($R | $W);
  my $sref = both(product($R | $W, $R | $W), pairs($e, sub { ($_[0]{name} // '') eq ($_[1]{name} // '') }));
  my $sloc = closure(either($accesses, $sref, map { two_ways($named->(@$_)) } @{$test->{sloc}}));
  my $barrier = both(product($CBAR, $CBAR), pairs($e, sub { ($_[0]{name} // '') eq ($_[1]{name} // '') }));
  my $ssw = either([(0) x $n], map { my ($a, $b) = @$_; pairs($e, sub { $_[0]{thread} == $a && $_[1]{thread} == $b }) } @{$test->{ssw}});
  my $inscope = either(product($DV, $DV), both($same{qf}, product($QF, $QF)), both($same{wg}, product($WG, $WG)), both($same{sg}, product($SG, $SG)));
  my $mutual = less(both($sref, product($A, $A), $inscope), identity($all));
  my $to_sem = both($po, either(product($SC0, $SEM0), product($SC1, $SEM1)));
  my $from_sem = both($po, either(product($SEM0, $SC0), product($SEM1, $SC1)));
  my $includes = either(product($SC0 | $SC1, $AVD), product($VISD, $SC0 | $SC1), product($SC0, $SEM0 & $SEMAV), product($SEM0 & $SEMVIS, $SC0),
    product($SC1, $SEM1 & $SEMAV), product($SEM1 & $SEMVIS, $SC1), two_ways(compose(identity($AV | $VIS), $sref)));
  my ($av, $vis) = ($AV | $SEMAV, $VIS | $SEMVIS);
  my $covers = either(product($SC0, $SEM0 & $SEMAV), product($SC1, $SEM1 & $SEMAV), compose($sref, identity($AV)));
  my $covered = either(product($SEM0 & $SEMVIS, $SC0), product($SEM1 & $SEMVIS, $SC1), compose(identity($VIS), $sref));
  my @instance = (@same{qw(sg wg qf)}, $any);
  my $operation = pairs($e, sub { $_[0]{operation} == $_[1]{operation} });
  my $RMW = $with->('rmw');
  my @av = map { identity($av & $_) } $all, $WG, $QF, $DV;
  my @vis = map { identity($vis & $_) } $all, $WG, $QF, $DV;
  my @reads = grep { $R >> $_ & 1 } 0 .. $n - 1;
  my %worlds;
  for my $choice (choices(map { sources($e, $_, $sloc, $W) } @reads)) {
    my @rf = (0) x $n;
    my $initial = 0;
    for my $i (0 .. $#reads) { $choice->[$i] < 0 ? ($initial |= 1 << $reads[$i]) : ($rf[$choice->[$i]] |= 1 << $reads[$i]) }
    my $rf = \@rf;
    for my $order (orders(both($text ? less($sloc, identity($all)) : $mutual, product($A & $W, $A & $W)))) {
      my $asmo = both($order, $mutual);
      my ($seen, $rs);
      if ($text) {    # Release Sequence, headed by each atomic write
        my $sequence = less(compose($asmo, identity($RMW)), compose($asmo, identity($W & ~$RMW), $order));
        $seen = both($mutual, either($rf, compose($sequence, $rf)));
        $rs = compose(identity($REL & $A & $W), maybe($sequence));
      } else {
        my $next = less($asmo, compose($asmo, closure($asmo)));
        my $rest = maybe(closure(compose($next, identity($R & $W))));
        $seen = compose($rest, both($rf, $mutual));
        $rs = compose(identity($REL & $A), $rest);
      }
      my $released = either(compose(identity($REL & $A), $seen), compose(identity($REL & $F), $from_sem, identity($A & $W), $seen));
      my $acquired = either(identity($ACQ & $A), compose(identity($A & $R), $to_sem, identity($ACQ & $F)));
      my $met = compose(identity($REL & $F), maybe($po), less(both($barrier, $inscope), identity($all)), maybe($po), identity($ACQ & $F));
      my $sw = both($inscope, either(compose($released, $acquired), $met));
      my $hb = either($po, map {
        my ($class, $sem) = @$_;
        closure(either($ssw, compose(identity($sem), $sw, identity($sem)), compose(identity($class | $sem), $po, identity($REL & $sem)),
          compose(identity($ACQ & $sem), $po, identity($class | $sem))))
      } [$SC0, $SEM0], [$SC1, $SEM1], [$SC0 | $SC1, $SEM0 & $SEM1]);
      my @within = map { both($hb, $_, $includes) } $same{sg}, $same{wg}, $same{qf};
      for my $chains (0, 1) {
        my $limit = $chains ? $any : identity($all);
        my (@a, @v);
        for my $level ($text ? (0 .. 3) : ()) {    # Availability and Visibility: chains end in an operation for this level
          my @longer = $chains ? (0 .. $level - 1) : ();
          $a[$level] = compose(either(compose(identity($W & $NONPRIV), both(maybe($po), $covers)),
              map { both($covers, compose($a[$_], both($hb, $instance[$_]))) } @longer), $av[$level]);
          $v[$level] = compose($vis[$level], either(compose(both(maybe($po), $covered), identity($R & $NONPRIV)),
              map { both($covered, compose(both($hb, $instance[$_]), $v[$_])) } @longer));
        }
        for my $level ($text ? () : (0 .. 3)) {
          my ($before, $after) = (identity($all), identity($all));
          $before = compose($before, maybe(compose($a[$_], $within[$_]))) for 0 .. $level - 1;
          $after = compose(maybe(compose($within[$_], $v[$_])), $after) for 0 .. $level - 1;
          $a[$level] = compose(both($limit, $before), $av[$level]);
          $v[$level] = compose($vis[$level], both($limit, $after));
        }
        my ($writes, $seeing) = (identity($W & $NONPRIV), identity($R & $NONPRIV));
        my $own = both(maybe($po), $includes);
        my @ordered = (both($hb, $same{thread}, $sref), compose($seeing, $hb, identity(($R | $W) & $NONPRIV)),
          compose(identity($R), closure($ssw), identity($R | $W)));
        for my $level ($text ? (0 .. 3) : ()) {    # Location-Ordered, through a domain; a wide operation is one for narrow ones
          my ($made, $seen) = map { both($instance[$level], either(@$_[$level .. 3])) } \@a, \@v;
          push @ordered, both($sref, compose($made, both($hb, $instance[$level]), either($writes, $seen)));
        }
        for my $level ($text ? () : (0 .. 3)) {
          my $path = both($hb, $instance[$level]);
          my $made = compose($writes, $own, $a[$level], $path);
          push @ordered, both($sref, either(compose($made, $writes), compose($made, $v[$level], $own, $seeing)));
        }
        my $device = compose(identity($W), both($hb, $includes), identity($AVD), $hb);
        push @ordered, compose($device, identity($W)), compose($device, identity($VISD), both($hb, $includes), identity($R));
        my $lo = both($sloc, either(@ordered));
        my $fr = less(either(compose(inverse($rf), either(both(product($W, $W), $lo), $asmo)), compose(identity($initial), $sloc, identity($W))), identity($all));
        my $races = both($sloc, less(either(product($W, $W | $R), product($R, $W)), either($mutual, $operation, two_ways($lo))));
        my $hop = compose(identity($W), $lo);
        my $before = either($lo, $rf, $fr, $asmo);
        $before = either($before, less(compose($operation, $before, $operation), $operation));    # Acyclicity, of operations
        my $consistent = is_acyclic($before) && is_empty(both(compose($rf, identity($R & ~$A)), compose($hop, closure($hop))));
        my $pairs = 0;
        $pairs += sprintf('%b', $_) =~ tr/1// for @$rs;
        $worlds{$chains}{($consistent ? 1 : 0) . (is_empty($races) ? 0 : 1) . ":$pairs"} = 1;
      }
    }
  }
  return \%worlds;
}

# Of a kind of execution: whether it is consistent, whether it has a race, and how many pairs its release sequences have.
my %MEANS = ('consistent[X]' => sub { /^1/ }, 'consistent[X] && #dr=0' => sub { /^10/ }, 'consistent[X] && #dr>0' => sub { /^11/ }, '#dr>0' => sub { /^.1/ },
  'consistent[X] && #rs=1' => sub { /^1.:1$/ }, 'consistent[X] && #rs=2' => sub { /^1.:2$/ }, 'consistent[X] && #rs>1' => sub { /^1.:(\d+)/ && $1 > 1 },
  '#rs<1 && #dr>0' => sub { /^.1:0$/ });

sub answer {
  my ($file) = @_;
  my $test = read_test($file);
  my $worlds = worlds($test);
  my ($name, $number) = ($file =~ s{.*/}{}r =~ s/[.]test$//r, 0);
  for (@{$test->{assertions}}) {
    my ($satisfiable, $chains, $text) = @$_;
    my $means = $MEANS{$text =~ s/\((#rs[^()]*)\)/$1/r};
    if (!$means) { printf "%s %d unread: %s\n", $name, ++$number, $text; next }
    my $found = grep { $means->() } keys %{$worlds->{$chains ? 1 : 0}};
    printf "%s %d %s\n", $name, ++$number, !$found == !$satisfiable ? 'Ok' : 'No';
  }
}

# ---- random tests ----

sub chance { return rand() < $_[0] }
sub pick { return $_[rand @_] }

sub semantics {
  my ($acquires, $releases) = @_;
  return () unless $acquires || $releases;
  return (($acquires ? 'acq' : ()), ($releases ? 'rel' : ()), pick(['semsc0'], ['semsc0'], ['semsc1'], ['semsc0', 'semsc1'])->@*,
    ($releases && chance(.6) ? 'semav' : ()), ($acquires && chance(.6) ? 'semvis' : ()));
}

# A store, a chain of threads with flags, and a load, or a store, by the last one.
sub make_chain {
  my $threads = pick(2, 3, 3, 3, 4);
  my @flag = map { pick('sc0', 'sc0', 'sc1') } 1 .. $threads;
  my $scope = sub { pick('scopesg', 'scopewg', 'scopewg', 'scopeqf', 'scopedev', 'scopedev') };
  my @classes = chance(.6) ? ('semsc0', 'semsc1') : ('semsc0');
  my @lines;
  for my $t (0 .. $threads - 1) {
    push @lines, !$t ? 'NEWWG' : chance(.5) ? pick('NEWSG', 'NEWWG', 'NEWWG', 'NEWQF') : ();
    push @lines, "NEWTHREAD $t";
    my $semantics = sub { ($_[0], @classes, chance(.75) ? $_[1] : ()) };
    push @lines, join('.', 'st.sc0.nonpriv', chance(.25) ? ('av', $scope->()) : ()) . ' x = 1' unless $t;
    if ($t) {
      my $barrier = chance(.3);
      push @lines, join('.', 'ld.atom', $flag[$t], $scope->(), $barrier ? () : $semantics->('acq', 'semvis')) . " f$t = $t";
      push @lines, join('.', 'membar', $scope->(), $semantics->('acq', 'semvis')) if $barrier;
    }
    push @lines, join('.', 'ld.sc0.nonpriv', chance(.5) ? ('vis', $scope->()) : ()) . ' x' if $t && chance(.15);
    push @lines, join('.', 'ld.sc0.nonpriv', chance(.25) ? ('vis', $scope->()) : ()) . ' x' . (chance(.5) ? ' = 0' : '') if $t == $threads - 1;
    next if $t == $threads - 1;
    my ($barrier, $next) = (chance(.3), $t + 1);
    push @lines, join('.', 'membar', $scope->(), $semantics->('rel', 'semav')) if $barrier;
    push @lines, join('.', 'st.atom', $flag[$next], $scope->(), $barrier ? () : $semantics->('rel', 'semav')) . " f$next = $next";
  }
  return @lines;
}

sub make_any {
  my $usual = pick(undef, 'scopedev', 'scopewg');
  my $scope = sub { $usual && chance(.8) ? $usual : pick('scopesg', 'scopewg', 'scopeqf', 'scopedev') };
  my $barriers = chance(.25);
  my ($one, $two) = chance(.2) ? ('x', 'z') : ('x', 'y');    # z: another name of x
  my %class = (x => pick('sc0', 'sc0', 'sc1'));
  $class{y} = pick('sc0', 'sc0', 'sc1');
  $class{z} = $class{x};
  my @meet = map { ['cbar', 'scopewg', semantics(pick([1, 1], [1, 1], [0, 0], [1, 0], [0, 1])->@*)] } 0 .. 2;
  my ($threads, $value, @lines, %written) = (pick(1, 2, 2, 2, 2, 3), 0);
  for my $t (0 .. $threads - 1) {
    push @lines, !$t ? 'NEWWG' : $barriers ? pick('NEWSG', 'NEWTHREAD 9') : pick('NEWQF', 'NEWWG', 'NEWWG', 'NEWSG', 'NEWSG', 'NEWTHREAD 9');
    pop @lines if $lines[-1] =~ /9/;
    push @lines, "NEWTHREAD $t";
    my $met = 0;
    for (1 .. pick(1, 2, 2, 3)) {
      my ($kind, $name) = (rand, pick($one, $two));
      my $plain = [($kind < .3 ? 'st' : 'ld'), $class{$name}, (chance(.5) ? 'nonpriv' : ()), (chance(.5) ? ($kind < .3 ? 'av' : 'vis', $scope->()) : ())];
      my ($words, $operand) = ($plain, $name);
      if ($kind < .3) {
        $words = ['st', 'atom', $class{$name}, $scope->(), semantics(0, chance(.6))] if chance(.4);
        $operand = "$name = " . ++$value;
      } elsif ($kind < .65) {
        $words = ['ld', 'atom', $class{$name}, $scope->(), semantics(chance(.6), 0)] if chance(.4);
        $operand = "$name = 0" if chance(.3);
        $operand = "$name = $value" if $written{$name} && $written{$name} == $value && chance(.5);
      } elsif ($kind < .77) {
        $words = [pick(['rmw'], ['ld', 'st', 'atom'])->@*, $class{$name}, $scope->(), semantics(chance(.5), chance(.5))];
        $operand = "$name = " . ($written{$name} && $written{$name} == $value && chance(.5) ? $value : 0) . ' ' . ($value + 1);
        $value++;
      } elsif ($kind < .9 || !$barriers) {
        $words = chance(.15) ? [pick('avdevice', 'visdevice')] : ['membar', $scope->(), semantics(pick([0, 1], [1, 0], [1, 1])->@*)];
        $operand = '';
      } else {
        $words = $meet[$met];
        $operand = $met++;
      }
      $written{$name} = $value if $operand =~ /^$name = / && grep { /^(st|rmw)$/ } @$words;
      push @lines, join('.', sort { rand() <=> .5 } @$words) . ($operand eq '' ? '' : " $operand");
    }
  }
  my $text = join "\n", @lines;
  push @lines, 'SLOC x z' if $text =~ / x\b/ && $text =~ / z\b/;
  push @lines, 'SSW 0 1' if $threads > 1 && chance(.2);
  push @lines, 'SSW 1 2' if $threads > 2 && chance(.2);
  return @lines;
}

sub make_test {
  my @lines = chance(.3) ? make_chain() : make_any();
  for my $chains ('', 'NOCHAINS ') { push @lines, map { "SATISFIABLE $chains$_" } sort keys %MEANS }
  return join("\n", @lines) . "\n";
}

if (@ARGV && $ARGV[0] eq '-make') {
  my (undef, $folder, $seed, $count) = @ARGV;
  srand $seed;
  for my $i (0 .. $count - 1) {
    open my $out, '>', sprintf('%s/random%04d.test', $folder, $i) or die "$folder: $!\n";
    print $out make_test();
    close $out or die "$folder: $!\n";
  }
} else {
  $text = @ARGV && $ARGV[0] eq '-text' && shift @ARGV;
  answer($_) for @ARGV;
}
