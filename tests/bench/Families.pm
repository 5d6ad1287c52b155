# The scaling families: tests with a size n, in OpenCL and in C.
#
#   IRIW      n writers and n readers, each reading two neighbouring locations
#   SBring    n threads: each writes its own location and reads the next
#   LBring    n threads: each reads its own location and writes the next
#   MPchain   a message handed on n times, then the data are read
#   nW        n threads: each writes its own location, then the next
#   FAdv, FAwg, FArem (C: FA)  n threads add to one counter: at device scope, at
#             work-group scope, at work-group scope but for a remote one
#   CASlock   n threads try a lock; who gets it adds to a counter and lets go
package Families;
use strict;
use warnings;

my %SCOPE = (dv => 'memory_scope_device', wg => 'memory_scope_work_group');

sub store {
  my ($c, $x, $v, $order) = @_;
  return "atomic_store_explicit($x, $v, memory_order_$order" . ($c ? '' : ", $SCOPE{dv}") . ');';
}

sub load {
  my ($c, $r, $x, $order) = @_;
  return "int $r = atomic_load_explicit($x, memory_order_$order" . ($c ? '' : ", $SCOPE{dv}") . ');';
}

sub add {
  my ($c, $remote, $scope) = @_;
  my $name = 'atomic_fetch_add_explicit' . ($remote ? '_remote' : '');
  return "int r0 = $name(x, 1, memory_order_relaxed" . ($c ? '' : ", $SCOPE{$scope}") . ');';
}

sub each_apart { return join ' ', map { "(work_group P$_)" } 0 .. $_[0] - 1 }
sub together { return '(work_group ' . join(' ', map { "P$_" } 0 .. $_[0] - 1) . ')' }

# Threads as lists of lines, the ordinary locations, the condition, the tree.
my %FAMILY = (
  IRIW => sub {
    my ($n, $c) = @_;
    my @writers = map { [store($c, "x$_", 1, 'release')] } 0 .. $n - 1;
    my @readers = map { [load($c, 'r0', "x$_", 'acquire'), load($c, 'r1', 'x' . ($_ + 1) % $n, 'acquire')] } 0 .. $n - 1;
    my @leaves = map { ($_ + $n) . ':r0=1', ($_ + $n) . ':r1=0' } 0 .. $n - 1;
    return {locations => $n, threads => [@writers, @readers], condition => join(' /\ ', @leaves), tree => each_apart(2 * $n)};
  },
  SBring => sub {
    my ($n, $c) = @_;
    return {
      locations => $n,
      threads => [map { [store($c, "x$_", 1, 'seq_cst'), load($c, 'r0', 'x' . ($_ + 1) % $n, 'seq_cst')] } 0 .. $n - 1],
      condition => join(' /\ ', map { "$_:r0=0" } 0 .. $n - 1), tree => each_apart($n)};
  },
  LBring => sub {
    my ($n, $c) = @_;
    return {
      locations => $n,
      threads => [map { [load($c, 'r0', "x$_", 'relaxed'), store($c, 'x' . ($_ + 1) % $n, 1, 'relaxed')] } 0 .. $n - 1],
      condition => join(' /\ ', map { "$_:r0=1" } 0 .. $n - 1), tree => each_apart($n)};
  },
  MPchain => sub {
    my ($n, $c) = @_;
    my @middle = map { [load($c, 'r0', 'x' . ($_ - 1), 'acquire'), store($c, "x$_", 1, 'release')] } 1 .. $n - 1;
    my $last = [load($c, 'r0', 'x' . ($n - 1), 'acquire'), 'int r1 = *d;'];
    return {
      locations => $n, plain => ['d'],
      threads => [['*d = 1;', store($c, 'x0', 1, 'release')], @middle, $last],
      condition => join(' /\ ', (map { "$_:r0=1" } 1 .. $n), "$n:r1=0"), tree => each_apart($n + 1)};
  },
  nW => sub {
    my ($n, $c) = @_;
    return {
      locations => $n,
      threads => [map { [store($c, "x$_", 2, 'release'), store($c, 'x' . ($_ + 1) % $n, 1, 'release')] } 0 .. $n - 1],
      condition => join(' /\ ', map { "x$_=2" } 0 .. $n - 1), tree => each_apart($n)};
  },
  FAdv => sub { my ($n, $c) = @_; return counter($n, each_apart($n), map { [add($c, 0, 'dv')] } 1 .. $n) },
  FAwg => sub { my ($n, $c) = @_; return counter($n, together($n), map { [add($c, 0, 'wg')] } 1 .. $n) },
  FArem => sub {
    my ($n, $c) = @_;
    my $tree = together($n - 1) . " (work_group P" . ($n - 1) . ')';
    return counter($n, $tree, (map { [add($c, 0, 'wg')] } 1 .. $n - 1), [add($c, 1, 'dv')]);
  },
  CASlock => sub {
    my ($n, $c) = @_;
    my $take = $c ? 'int r0 = atomic_exchange_explicit(l, 1, memory_order_acquire);'
      : "int r0 = atomic_compare_exchange_strong_explicit(l, zero, 1, memory_order_acquire, memory_order_relaxed, $SCOPE{dv});";
    my $won = $c ? 0 : 1;
    my @thread = ($take, "if (r0 == $won) {", '  int r1 = *d;', '  *d = r1 + 1;', '  ' . store($c, 'l', 0, 'release'), '}');
    return {
      names => $c ? ['l'] : ['l', 'zero'], plain => ['d'], plain_last => 1,
      threads => [map { [@thread] } 1 .. $n],
      condition => join(' /\ ', (map { "$_:r0=$won" } 0 .. $n - 1), "~(d=$n)"), tree => each_apart($n)};
  },
);
$FAMILY{FA} = $FAMILY{FAdv};

sub counter {
  my ($n, $tree, @threads) = @_;
  return {names => ['x'], threads => \@threads, condition => "~(x=$n)", tree => $tree};
}

# The text of one test.
sub test {
  my ($family, $n, $c) = @_;
  my $t = $FAMILY{$family}->($n, $c);
  my @atomic = $t->{names} ? @{$t->{names}} : map { "x$_" } 0 .. $t->{locations} - 1;
  my @plain = @{$t->{plain} // []};
  my $region = $c ? '' : 'global ';
  my @names = $t->{plain_last} ? (@atomic, @plain) : (@plain, @atomic);
  my %is_plain = map { $_ => 1 } @plain;
  my $parameters = join ', ', map { $region . ($is_plain{$_} ? 'int* ' : 'atomic_int* ') . $_ } @names;
  my $text = ($c ? 'C' : 'OpenCL') . sprintf(" %s%02d\n\n{\n", $family, $n);
  $text .= "  [$_]=0;\n" for @names;
  $text .= "}\n\n";
  for my $i (0 .. $#{$t->{threads}}) {
    $text .= "P$i ($parameters) {\n" . join('', map { "  $_\n" } @{$t->{threads}[$i]}) . "}\n\n";
  }
  $text .= "scopeTree\n(device $t->{tree})\n" unless $c;
  return $text . "exists ($t->{condition})\n";
}

# The families of a language.
sub names {
  my ($c) = @_;
  return grep { $c ? !/^FA./ : $_ ne 'FA' } sort keys %FAMILY;
}

1;
