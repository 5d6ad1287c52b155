# Programs of n threads in C with loops that wait and compare-and-swaps that decide a branch.
#
#   relay      each thread waits for its turn, and hands it on
#   ticket     a ticket lock around a counter; `broken`: with a relaxed wait, a race
#   tas, ttas  test-and-set, test-and-test-and-set locks around one
#   barrier    a counter that everybody waits for, before reading what another wrote
#   inc, inc2  one increment each, two each
#   swap       one increment each, by a compare-and-swap that is repeated until it succeeds
#   try        a lock that each tries to take once, by compare-and-swap
#   thieves    one owner of two tasks, others steal them by compare-and-swap
#   seqlock    one writer of a sequence lock, others read once
#   queue      a queue lock (MCS), whose nodes are indices
#   phases     a barrier that is passed twice, whose last arrival opens it
#   semaphore  two at a time may enter, of all that count it down by compare-and-swap
#   readers    a lock that is tried once, by one writer and by readers who share it
package Programs;
use strict;
use warnings;

sub order { return 'memory_order_' . $_[0] }
sub load { my ($x, $order) = @_; return "atomic_load_explicit($x, " . order($order) . ')' }
sub store { my ($x, $v, $order) = @_; return "atomic_store_explicit($x, $v, " . order($order) . ');' }
sub add { my ($x, $order) = @_; return "atomic_fetch_add_explicit($x, 1, " . order($order) . ')' }
sub until_equal { my ($x, $v, $order) = @_; my $load = load($x, $order); return "int s = $load;", "while (s != $v) { s = $load; }" }

my @COUNT = ('int v = *x;', '*x = v + 1;');

sub ticket_lock {
  my ($order) = @_;
  return ('int t = ' . add('next', 'relaxed') . ';', until_equal('serving', 't', $order), @COUNT,
    store('serving', 't + 1', 'release'));
}

sub swap {
  my ($x, $v, $order) = @_;
  return "atomic_compare_exchange_strong_explicit($x, &e, $v, " . order($order) . ', ' . order('relaxed') . ')';
}
sub steal { my ($then) = @_; return 'int w = ' . swap('top', 't + 1', 'seq_cst') . "; if (w != 0) { $then }" }

my $TAKE = 'atomic_exchange_explicit(l, 1, ' . order('acquire') . ')';

# A thread's lines, by its number and that of all.
my %THREAD = (
  relay => sub { my ($i) = @_; return ($i ? until_equal('f', $i, 'acquire') : (), @COUNT, store('f', $i + 1, 'release')) },
  ticket => sub { return ticket_lock('acquire') },
  broken => sub { return ticket_lock('relaxed') },
  tas => sub { return ("int a = $TAKE;", "while (a != 0) { a = $TAKE; }", @COUNT, store('l', 0, 'release')) },
  ttas => sub {
    my $look = load('l', 'relaxed');
    return ('int a = 1;', "while (a != 0) { int b = $look; while (b != 0) { b = $look; } a = $TAKE; }", @COUNT,
      store('l', 0, 'release'));
  },
  barrier => sub {
    my ($i, $n) = @_;
    return ("*x$i = 1;", 'int t = ' . add('b', 'acq_rel') . ';', until_equal('b', $n, 'acquire'), 'int v = *x' . ($i + 1) % $n . ';',
      'if (v != 1) { ' . store('bad', 1, 'relaxed') . ' }');
  },
  inc => sub { return 'int t = ' . add('x', 'relaxed') . ';' },
  inc2 => sub { return ('int t = ' . add('x', 'relaxed') . ';', 'int u = ' . add('x', 'relaxed') . ';') },
  swap => sub {
    return ('int w = 0;', 'while (w == 0) { int e = ' . load('x', 'relaxed') . '; w = ' . swap('x', 'e + 1', 'relaxed') . '; }');
  },
  try => sub {
    return ('int e = 0;', 'int w = ' . swap('l', 1, 'acquire') . ';', "if (w != 0) { @COUNT " . store('l', 0, 'release') . ' }');
  },
  thieves => sub {
    my ($i) = @_;
    my $fence = 'atomic_thread_fence(' . order('seq_cst') . ');';
    my ($one, $two) = map { add($_, 'relaxed') . ';' } 't0', 't1';
    return (store('bottom', 1, 'relaxed'), $fence, 'int t = ' . load('top', 'relaxed') . ';', "if (t <= 0) { $two }",
      "if (t == 1) { int e = 1; " . steal($two) . ' }') if !$i;
    return ('int t = ' . load('top', 'acquire') . ';', $fence, 'int b = ' . load('bottom', 'acquire') . ';',
      'if (t < b) { int e = t; ' . steal("if (t == 0) { $one } if (t == 1) { $two }") . ' }');
  },
  queue => sub {
    my ($i, $n) = ($_[0] + 1, $_[1]);
    my $swing = "atomic_exchange_explicit(tail, $i, " . order('acq_rel') . ')';
    my @others = grep { $_ != $i } 1 .. $n;
    return (store("l$i", 1, 'relaxed'), "int p = $swing;",
      'if (p != 0) { ' . join(' ', map { "if (p == $_) { " . store("n$_", $i, 'release') . ' }' } @others),
      'int s = ' . load("l$i", 'acquire') . '; while (s != 0) { s = ' . load("l$i", 'acquire') . '; } }', @COUNT,
      "int e = $i;", 'int w = ' . swap('tail', 0, 'release') . ';',
      'if (w == 0) { int q = ' . load("n$i", 'acquire') . '; while (q == 0) { q = ' . load("n$i", 'acquire') . '; }',
      join(' ', map { "if (q == $_) { " . store("l$_", 0, 'release') . ' }' } @others) . ' }');
  },
  phases => sub {
    my ($i, $n) = @_;
    my $pass = sub {
      my ($k) = @_;
      my $look = load('g', 'acquire');
      return ("int t$k = " . add('b', 'acq_rel') . ';', "if (t$k == " . ($n * $k - 1) . ') { ' . store('g', $k, 'release') . ' }',
        "int s$k = $look;", "while (s$k < $k) { s$k = $look; }");
    };
    return ("*x$i = 1;", $pass->(1), 'int v = *x' . ($i + 1) % $n . ';', $pass->(2), "*x$i = v + 1;");
  },
  readers => sub {
    my ($i) = @_;
    my $bad = 'if (a != b) { ' . store('bad', 1, 'relaxed') . ' }';
    return ('int e = 0;', 'int w = ' . swap('l', -1, 'acquire') . ';', 'if (w != 0) { *x = 1; *y = 1; ' . store('l', 0, 'release') . ' }')
      if !$i;
    return ('int e = ' . load('l', 'relaxed') . ';', 'if (e >= 0) { int w = ' . swap('l', 'e + 1', 'acquire') . ';',
      "if (w != 0) { int a = *x; int b = *y; $bad int o = atomic_fetch_sub_explicit(l, 1, " . order('release') . '); } }');
  },
  semaphore => sub {
    my $bad = 'if (o > 1) { ' . store('bad', 1, 'relaxed') . ' }';
    return ('int w = 0;', 'while (w == 0) { int e = ' . load('free', 'relaxed') . ';',
      'if (e > 0) { w = ' . swap('free', 'e - 1', 'acquire') . '; } }', 'int o = ' . add('c', 'relaxed') . "; $bad",
      'int q = atomic_fetch_sub_explicit(c, 1, ' . order('relaxed') . '); int r = ' . add('free', 'release') . ';');
  },
  seqlock => sub {
    my ($i) = @_;
    return (store('s', 1, 'relaxed'), 'atomic_thread_fence(memory_order_release);', store('x', 1, 'relaxed'),
      store('y', 1, 'relaxed'), store('s', 2, 'release')) if !$i;
    return ('int a = ' . load('s', 'acquire') . ';', 'int b = ' . load('x', 'relaxed') . ';', 'int c = ' . load('y', 'relaxed') . ';',
      'atomic_thread_fence(memory_order_acquire);', 'int d = ' . load('s', 'relaxed') . ';',
      'if (a == d) { if (a != 1) { if (b != c) { ' . store('bad', 1, 'relaxed') . ' } } }');
  },
);

# Locations, `*` before ordinary ones, and the condition.
my %LOCK = (places => ['*x'], condition => sub { return "x=$_[0]" });
my %TEST = (
  relay => {%LOCK, atomic => ['f']}, ticket => {%LOCK, atomic => ['next', 'serving']},
  broken => {%LOCK, atomic => ['next', 'serving']}, tas => {%LOCK, atomic => ['l']}, ttas => {%LOCK, atomic => ['l']},
  barrier => {places => sub { map { "*x$_" } 0 .. $_[0] - 1 }, atomic => ['b', 'bad'], condition => sub { 'bad=0' }},
  swap => {atomic => ['x'], condition => sub { "x=$_[0]" }}, try => {%LOCK, atomic => ['l']},
  inc => {atomic => ['x'], condition => sub { "x=$_[0]" }}, inc2 => {atomic => ['x'], condition => sub { 'x=' . 2 * $_[0] }},
  thieves => {atomic => ['top', 'bottom', 't0', 't1'], condition => sub { 't1=1' }},
  queue => {%LOCK, atomic => sub { my ($n) = @_; return 'tail', map { ("n$_", "l$_") } 1 .. $n }},
  phases => {places => sub { map { "*x$_" } 0 .. $_[0] - 1 }, atomic => ['b', 'g'], condition => sub { 'x0=2' }},
  readers => {places => ['*x', '*y'], atomic => ['l', 'bad'], condition => sub { 'bad=0' }},
  semaphore => {atomic => ['free', 'c', 'bad'], condition => sub { 'bad=0' }},
  seqlock => {atomic => ['s', 'x', 'y', 'bad'], condition => sub { 'bad=0' }},
);

sub names { return sort keys %THREAD }

sub of_size { my ($what, $n) = @_; return ref($what // []) eq 'CODE' ? $what->($n) : @{$what // []} }

# A family's locations, as declarations of pointers to them.
sub locations {
  my ($family, $n) = @_;
  my $t = $TEST{$family};
  return ((map { "atomic_int* $_" } of_size($t->{atomic}, $n)), map { s/^\*/int* /r } of_size($t->{places}, $n));
}

sub initial { return $_[0] eq 'bottom' || $_[0] eq 'free' ? 2 : 0 }

# The text of one test.
sub test {
  my ($family, $n) = @_;
  my @locations = locations($family, $n);
  my $text = "C $family$n\n\n{ " . join(' ', map { my $x = s/.* //r; "[$x]=" . initial($x) . ';' } @locations) . " }\n\n";
  for my $i (0 .. $n - 1) {
    $text .= "P$i (" . join(', ', @locations) . ") {\n" . join('', map { "  $_\n" } $THREAD{$family}->($i, $n)) . "}\n\n";
  }
  return $text . 'forall (' . $TEST{$family}{condition}->($n) . ")\n";
}

# The same as a program in C.
sub program {
  my ($family, $n) = @_;
  my $text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n";
  for (locations($family, $n)) {
    my ($type, $x) = split /\* /;
    $text .= "static $type cell_$x = " . initial($x) . ", *const $x = &cell_$x;\n";
  }
  for my $i (0 .. $n - 1) {
    $text .= "static void *p$i(void *unused) {\n" . join('', map { "  $_\n" } $THREAD{$family}->($i, $n)) . "  return unused;\n}\n";
  }
  $text .= "int main(void) {\n  pthread_t t[$n];\n";
  $text .= "  pthread_create(&t[$_], 0, p$_, 0);\n" for 0 .. $n - 1;
  $text .= "  pthread_join(t[$_], 0);\n" for 0 .. $n - 1;
  my ($x, $v) = split /=/, $TEST{$family}{condition}->($n);
  return $text . "  assert(*$x == $v);\n  return 0;\n}\n";
}

1;
