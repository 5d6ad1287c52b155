# SPDX-License-Identifier: MIT
# Random models that speak of `rmw`, and random tests in C with read-modify-writes, for herd_rmw.sh.
#
#   herd_rmw.pl SEED MODELS TESTS FOLDER
#
# writes FOLDER/mN.cat for each of the models and FOLDER/mN_K.litmus, TESTS to each.
use strict;
use warnings;
my ($seed, $models, $tests, $folder) = @ARGV;
srand $seed;

sub one { return $_[rand @_] }
sub some { my ($most, @from) = @_; return map { one(@from) } 1 .. rand($most + 1) }

# What no check stands on: never to be noticed.
my @unused = (
  'let U = rmw & ext', 'let U = rmw & (fre; coe)', 'let U = (rf; rmw)+', 'let U(r) = r; rmw', 'let U = domain(rmw)',
  'let rec U = rmw | (U; rf; U)', 'let U = let v = rmw & (fr; co) in v', 'let U = [RMW] | rmw', 'let U = amo | lxsx',
  'let U(r) = 0 | (rmw & (fr; co))', 'procedure U() = empty rmw & (fre; coe) as never end',
  'flag ~empty rmw & (fre; coe) as lost', 'flag ~empty rmw & (fr; co) as between', 'show rmw');

# What a model may ask, of rmw too, without forbidding that a write comes in between.
my @used = (
  'acyclic po-loc | rf | fr | co as coherent', 'acyclic po | rf | fr | co as sc', 'irreflexive rf; po as forward',
  'irreflexive fr; rf; po as observed', 'irreflexive co; po as w-order',
  'irreflexive co; rf; po as from-others', 'acyclic po | rfe | coe as weak', 'irreflexive fr; co; po as behind',
  'acyclic rf | fr | co | rmw as whole', 'acyclic po-loc | rf | (rf; rmw)+ as release', 'irreflexive rmw; fr as own',
  'empty rmw & ext as inner', 'acyclic (rmw | rf)+ as chain', 'irreflexive (rmw; co); rf as after',
  'acyclic (po & (RMW * M)) | rf | fr | co as locked', 'irreflexive rmw; rf; po as around', 'empty rmw & co as ordered',
  'acyclic ([RMW]; po; [W]) | rf | fr | co as some', 'irreflexive (fr; co) & id as one');

# All leave out what reads itself: herd7 7.57 gives no values to some of that (models/README.md).
sub model {
  my ($n) = @_;
  my @lines = (some(2, @unused), one(@used), some(2, @used), some(1, @unused));
  for my $at (0 .. $#lines) { # names are given once
    $lines[$at] =~ s/\bU\b/u$at/g;
    $lines[$at] =~ s/ as ([\w-]+)$/ as $1-$at/;
  }
  return "\"m$n\"\ninclude \"cos.cat\"\nacyclic po | rf as no-thin-air\n" . join("\n", @lines) . "\n";
}

my @orders = map { "memory_order_$_" } qw(relaxed acquire release acq_rel seq_cst);
my $registers;

sub operation {
  my $place = one('x', 'x', 'y');
  my $value = 1 + int rand 3;
  my $register = "r$registers";
  my $kind = int rand 10;
  return "  atomic_store_explicit($place, $value, @{[one(@orders[0, 2, 4])]});" if $kind < 2;
  $registers++;
  return "  int $register = atomic_load_explicit($place, @{[one(@orders[0, 1, 4])]});" if $kind < 4;
  return "  int $register = atomic_exchange_explicit($place, $value, @{[one(@orders)]});" if $kind < 6;
  my $name = one(qw(add add sub or and xor));
  return "  int $register = atomic_fetch_${name}_explicit($place, $value, @{[one(@orders)]});";
}

sub test {
  my ($name) = @_;
  my ($text, @atoms) = ("C $name\n{}\n");
  my $threads = 2 + (rand() < 0.2);
  for my $t (0 .. $threads - 1) {
    $registers = 0;
    my @code = map { operation() } 1 .. 1 + rand($threads > 2 ? 1.5 : 2.5);
    $text .= "P$t(atomic_int *x, atomic_int *y) {\n" . join("\n", @code) . "\n}\n";
    push @atoms, map { "$t:r$_=" . int rand 3 } 0 .. $registers - 1;
  }
  push @atoms, 'x=' . int rand 4 if !@atoms || rand() < 0.3;
  return $text . 'exists (' . join(' /\\ ', @atoms) . ")\n";
}

sub write_file {
  my ($path, $text) = @_;
  open my $out, '>', $path or die "$path: $!\n";
  print $out $text;
  close $out or die "$path: $!\n";
}

for my $n (1 .. $models) {
  write_file("$folder/m$n.cat", model($n));
  write_file("$folder/m${n}_$_.litmus", test("m${n}_$_")) for 1 .. $tests;
}
