#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# usage: conditions.pl herd7|naive|certify PROGRAM LITSCOPE FIRST COUNT DIR
#
# Random small models and random C tests with conditions, asked of litscope and of PROGRAM
# (herd7, the naive enumerator, or litscope-certify, about litscope's certificate): do both
# give the same states, flags, observation and counts?  Model and test N are the same everywhere.  Prints each N whose answers differ,
# whose files and answers stay in DIR, and a line of totals.  Exit status 1: some differ.
use strict;
use warnings;

my ($kind, $program, $litscope, $first, $count, $dir) = @ARGV;
die "usage: conditions.pl herd7|naive|certify PROGRAM LITSCOPE FIRST COUNT DIR\n" unless defined $dir;

my $seed;

sub below {
  my ($n) = @_;
  $seed = ($seed * 1103515245 + 12345) & 0x7fffffff;
  return ($seed >> 8) % $n;
}

sub chance { return below(100) < $_[0] }
sub pick { return $_[below(scalar @_)] }

# ---- Models --------------------------------------------------------------------------

sub set { return pick('R', 'W', 'M', 'F', 'R & RLX', 'W & RLX', 'ACQ', 'REL', '_') }

sub relation {
  my ($depth) = @_;
  my $kind = $depth ? below(12) : 0;
  return pick('po', 'po-loc', 'rf', 'rfe', 'rfi', 'co', 'coe', 'fr', 'fre', 'ctrl', 'ctrl', 'ctrl', 'ctrl', 'data', 'addr',
    'loc', 'int', 'ext', 'id') if $kind < 3;
  my $a = relation($depth - 1);
  return "($a | " . relation($depth - 1) . ')' if $kind < 5;
  return "($a & " . relation($depth - 1) . ')' if $kind == 5;
  return "($a; " . relation($depth - 1) . ')' if $kind < 8;
  return "($a \\ " . relation($depth - 1) . ')' if $kind == 8;
  return '([' . set() . "]; $a)" if $kind == 9;
  return "($a; [" . set() . '])' if $kind == 10;
  return "($a)+";
}

sub model {
  my $text = qq{"random"\ninclude "cos.cat"\nacyclic rf | data as justified\n}; # herd7 leaves other values unknown
  $text .= "acyclic po-loc | rf | co | fr as coherence\n" if chance(75);
  $text .= 'acyclic rfe | ' . pick('fre | coe | ', '') . 'ctrl' . pick('', '; [W]', ' | data', ' | data | addr') . " as order\n"
    if chance(60);
  for my $i (1 .. below(3)) {
    $text .= pick('acyclic ', 'irreflexive ', 'empty ') . relation(3) . " as axiom$i\n";
  }
  for my $i (1 .. 1 + below(2)) {
    $text .= 'flag ' . pick('', '~') . 'empty ' . pick('ctrl & ', 'ctrl; ', '') . relation(2) . " as flag$i\n";
  }
  return $text;
}

# ---- Tests ----------------------------------------------------------------------------

my ($registers, $budget, $loops);

sub order { return pick(@_) }
sub register { return 'r' . below($registers) }
sub location { return pick('x', 'x', 'y', 'y', 'z') }

sub value {
  return pick(1, 1, 2) if !$registers || chance(60);
  my $r = register();
  return pick($r, $r, "$r + 1", "($r ^ $r) + 1");
}

# An access that gives a value; more of them within where `deep`.
sub reading {
  my ($deep) = @_;
  $budget--;
  my $x = location();
  return "atomic_load_explicit($x, memory_order_" . pick('relaxed', 'relaxed', 'acquire') . ')' if chance(80);
  $budget--;
  my $v = $deep && $budget > 0 && chance(25) ? reading(0) : value();
  return 'atomic_' . pick('exchange', 'fetch_add') . "_explicit($x, $v, memory_order_relaxed)";
}

sub comparison { return pick('==', '==', '==', '!=') . ' ' . below(3) }

sub condition {
  my $what = !$registers || chance(30) ? reading(1) : register();
  return $what if chance(10);
  return "$what " . comparison() if chance(85) || !$registers;
  return register() . ' == ' . (chance(50) ? register() : reading(1));
}

sub block {
  my ($depth, $most, $in) = @_;
  my $text = '';
  $text .= statement($depth, $in) for 1 .. 1 + below($most);
  return $text;
}

sub conditional {
  my ($depth, $in) = @_;
  my $text = $in . 'if (' . condition() . ") {\n" . block($depth - 1, 2, "$in  ") . "$in}";
  $text .= " else {\n" . block($depth - 1, 2, "$in  ") . "$in}" if chance(40);
  return "$text\n";
}

# Waits, or goes round by a register that its body sets.
sub loop {
  my ($depth, $in) = @_;
  $loops--;
  $budget--;
  return $in . 'while (' . reading(1) . ' ' . comparison() . ") {\n$in  " . register() . " = 1;\n$in}\n" if chance(20);
  return $in . 'while (' . reading(1) . ' ' . comparison() . ") {\n" . block($depth - 1, 2, "$in  ") . "$in}\n" if chance(30);
  my $r = register();
  return $in . "while ($r " . comparison() . ") {\n" . block($depth - 1, 2, "$in  ") . "$in  $r = " .
    (chance(50) ? reading(0) : pick(0, 1, 2)) . ";\n$in}\n";
}

sub statement {
  my ($depth, $in) = @_;
  my $kind = below(100);
  $kind = 40 if $budget <= 0 && $kind < 70;
  return $in . register() . ' = ' . reading(0) . ";\n" if $kind < 25;
  if ($kind < 50 && $budget > 0) {
    $budget--;
    return $in . 'atomic_store_explicit(' . location() . ', ' . value() . ', memory_order_' .
      pick('relaxed', 'relaxed', 'release') . ");\n";
  }
  return $in . register() . ' = ' . value() . ";\n" if $kind < 60 || !$depth;
  return $in . "atomic_thread_fence(memory_order_" . pick('acquire', 'release', 'seq_cst') . ");\n" if $kind < 64;
  return loop($depth, $in) if $kind < 70 && $loops > 0 && $budget > 0;
  return conditional($depth, $in);
}

sub thread {
  my ($number) = @_;
  $registers = 2 + below(2);
  $budget = 4;
  $loops = 1;
  my $text = "P$number (atomic_int* x, atomic_int* y, atomic_int* z) {\n";
  $text .= "  int r$_ = 0;\n" for 0 .. $registers - 1;
  $text .= '  r0 = ' . reading(0) . ";\n";
  $text .= statement(2, '  ') for 1 .. 2 + below(2);
  return "$text}\n";
}

sub test {
  my ($name) = @_;
  my $text = "C $name\n{ x=0; y=0; z=0; }\n" . thread(0) . thread(1);
  return "${text}locations [x; y; z;]\nexists (0:r0=1 /\\ 1:r" . below(2) . '=' . below(2) . ")\n";
}

# ---- Answers ---------------------------------------------------------------------------

# A log's lines that are compared; or a word for why there are none.
sub log_of {
  my ($command) = @_;
  my @lines = `timeout 20 $command 2>&1`;
  return 'Timeout' if $? >> 8 == 124;
  return 'Unrolled' if grep { /unroll/ } @lines;
  return @lines;
}

sub states { return sort map { s/[\s\[\]]//gr } grep { /;$/ } @_ }

sub herd_answer {
  my @lines = log_of(@_);
  return "$lines[0]\n" if @lines == 1;
  return join "\n", states(@lines), sort map { s/\s+$//r } grep { /^(?:Positive|Observation|Flag)/ } @lines;
}

# As the naive enumerator's table has it.
sub row_answer {
  my @lines = log_of(@_);
  return "$lines[0]\n" if @lines == 1;
  my $log = join '', @lines;
  my ($observation, $positive, $negative) = $log =~ /^Observation \S+ (\w+) (\d+) (\d+)/m;
  my ($bad) = $log =~ /^Bad executions \((\d+)/m;
  return join "\t", $observation, $positive, $negative, $bad, join '|', states(@lines);
}

sub naive_answer {
  my @lines = log_of(@_);
  return 'Timeout' unless @lines == 2;
  my @cells = split /\t/, $lines[1] =~ s/\s+$//r, -1;
  return join "\t", @cells[2 .. 5], join '|', states(split / \| /, $cells[6] // '');
}

# What is accepted, and how it was observed.
sub certified {
  my ($check, $test) = @_;
  my $log = join '', log_of("$check -certify $dir/certificate");
  return ('Merged', '') if $log =~ /no certificate of .* one which only orders tell apart/;
  my ($ours) = $log =~ /^Observation \S+ (\w+)/m;
  my @lines = log_of("$program $dir/certificate");
  return ($lines[0] =~ s/\s+$//r, "Accepted $test->{name} $test->{model} $ours");
}

my ($same, $different, $left) = (0, 0, 0);
for my $n ($first .. $first + $count - 1) {
  $seed = ($n * 2654435761) & 0x7fffffff;
  below(2) for 1 .. 3;
  my ($cat, $litmus) = ("$dir/m$n.cat", "$dir/t$n.litmus");
  open my $out, '>', $cat or die "$cat: $!\n";
  print $out model();
  close $out;
  open $out, '>', $litmus or die "$litmus: $!\n";
  print $out test("t$n");
  close $out;
  my $ask = "$program -unroll 2 -model $cat $litmus";
  my $check = "$litscope check -q -rounds all -unroll 2 -model $cat $litmus";
  my ($theirs, $ours) =
    $kind eq 'naive' ? (naive_answer($ask), row_answer($check))
    : $kind eq 'certify' ? certified($check, {name => "t$n", model => $cat})
    :                      (herd_answer($ask), herd_answer($check));
  if ($theirs =~ /^(?:Timeout|Unrolled|Merged)/ || $ours =~ /^Timeout/) {
    $left++;
  } elsif ($theirs eq $ours) {
    $same++;
  } else {
    $different++;
    print "$n\n";
    open $out, '>', "$dir/d$n" or die;
    print $out "--- $kind\n$theirs\n--- litscope\n$ours\n";
    close $out;
    next;
  }
  unlink $cat, $litmus;
}
print "$same alike, $different different, $left left out (a loop goes round too often, time, or executions that are one)\n";
exit($different > 0);
