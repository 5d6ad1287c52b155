#!/bin/sh
# SPDX-License-Identifier: MIT
# The AMD machine against the second one, on random programs of two and three threads that LLVM compiles for every
# target, with every knob: the same states, with reductions and (where they are few) without, the same outcomes, and as
# often stuck.  AMD_NAIVE_TESTS and AMD_NAIVE_SEED choose others.
# Skipped where there is no llc-22.
set -eu
command -v llc-22 > /dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
perl -- - "$TMP" "${AMD_NAIVE_TESTS:-10}" "${AMD_NAIVE_SEED:-16}" <<'EOF2'
use strict;
use warnings;
my ($folder, $count, $seed) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }
my %scope = (w => 'memory_scope_work_group', d => 'memory_scope_device', s => 'memory_scope_all_svm_devices');

sub operation {
  my ($register, $number, $local) = @_;
  my ($x, $value, $scope) = (any('x', 'y', $local ? 'a' : 'z'), 1 << $number, $scope{any(qw(w d d s))});
  my $read = any('relaxed', 'acquire', 'acquire', 'seq_cst');
  my $write = any('relaxed', 'release', 'release', 'seq_cst');
  my $kind = draw(9);
  return "*$x = $value;" if $kind == 0;
  return "int $register = *$x;" if $kind == 1;
  return "atomic_store_explicit($x, $value, memory_order_$write, $scope);" if $kind < 4;
  return "int $register = atomic_load_explicit($x, memory_order_$read, $scope);" if $kind < 6;
  return "int $register = atomic_fetch_add_explicit($x, $value, memory_order_" . any($read, $write, 'acq_rel') . ", $scope);" if $kind == 6;
  return "atomic_exchange_explicit($x, $value, memory_order_" . any($read, $write, 'acq_rel') . ", $scope);" if $kind == 7;
  return 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_' . any(qw(acquire release acq_rel seq_cst)) . ", $scope);";
}

sub program {
  my ($name, $local) = @_;
  my ($threads, $number) = (2 + draw(2), 0);
  my $barrier = draw(4) == 0;
  my ($text, @shown) = ("OpenCL $name\n{ [x]=0; [y]=0; [z]=0;" . ($local ? ' local int a = 0;' : '') . " }\n", 'x', 'y');
  for my $t (0 .. $threads - 1) {
    my ($registers, $last, $body) = (0, undef, '');
    for (1 .. ($threads == 3 ? 1 + draw(2) : 2)) {
      my $line = operation("r$registers", $number++, $local);
      my $reads = $line =~ /^int/;
      $line = ($reads ? "int r$registers = -1;\n  " : '') . "if ($last " . any('!=', '==') . ' 0) { ' . $line =~ s/^int //r . ' }'
        if defined $last && draw(2);
      $last = "r$registers" if $reads;
      push @shown, "$t:r$registers" if $reads;
      $registers += $reads;
      $body .= "  $line\n";
      $body .= "  barrier(CLK_GLOBAL_MEM_FENCE);\n" if $barrier && $t < 2 && $_ == 1;
    }
    my $locals = $local ? ', local atomic_int* a' : '';
    $text .= "P$t (global atomic_int* x, global atomic_int* y, global atomic_int* z$locals) {\n$body}\n";
  }
  my $groups = $local || $barrier || draw(2) ? $threads == 2 ? '(work_group P0 P1)' : '(work_group P0 P1) (work_group P2)'
    : join ' ', map { "(work_group P$_)" } 0 .. $threads - 1;
  return $text . "scopeTree (device $groups)\nlocations [" . join(' ', map { "$_;" } @shown) . "]\nexists (true)\n";
}

my @targets = qw(gfx90a gfx90a:tgsplit gfx942 gfx942:tgsplit gfx1030 gfx1030:cumode gfx1100 gfx1200 gfx1200:cumode gfx1250);
my @compilers = grep { my $n = s{llvm-}{}r; grep { -x "$_/llc-$n" } split /:/, $ENV{PATH} } qw(llvm-22 llvm-19 llvm-15);
my $failed = 0;
for my $i (1 .. $count) {
  my $local = draw(5) == 0;
  open my $out, '>', "$folder/R$i.litmus" or die;
  print $out program("R$i", $local);
  close $out;
  my $target = any(grep { !$local || !/tgsplit/ } @targets);
  my $compiler = any(grep { $target !~ /1200/ || $_ ne 'llvm-15' } grep { $target ne 'gfx1250' || $_ eq 'llvm-22' } @compilers);
  system("litscope compile -target $target -compiler $compiler -o $folder/code$i $folder/R$i.litmus > $folder/log 2>&1") == 0
    or die `cat $folder/R$i.litmus $folder/log`;
  my $knobs = join ',', 'place=' . any(qw(far near one packed)), 'upd=' . draw(2), 'wb=' . (1 + draw(2)), 'fill=' . any(0, 1, 1),
    $target =~ /gfx942/ ? 'l2=' . (1 + draw(2)) : ();
  print "$target $compiler ";
  $failed = 1 if system("perl tests/naive/amd_compare.pl 1000 $knobs $folder/code$i/*.litmus") != 0;
}
exit $failed;
EOF2
