#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# Assembly that a GPU does not have is refused: names, registers, modifiers and offsets of other generations, line by line
# as LLVM's assembler does for each GPU (of both sizes of waves).  Skipped where there is no llvm-mc-22.
set -eu
command -v llvm-mc-22 > /dev/null || { echo "no llvm-mc-22: apt-get install llvm-22"; exit 77; }
perl -- - "$TMP" "${AMD_GPUS:-gfx600 gfx700 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201 gfx1250}" <<'EOF2'
use strict;
use warnings;
my ($folder, $gpus) = @ARGV;
# Not among them: what both refuse for reasons of their own, and `glc offset:4`, which LLVM wants in the other order.
my @modifiers = ('', qw(glc slc dlc sc0 sc1 nt nv offen addr64 lds scope:SCOPE_CU scope:SCOPE_SE scope:SCOPE_DEV scope:SCOPE_SYS
  scope:SCOPE_FOO th:TH_DEFAULT th:TH_LOAD_RT th:TH_LOAD_NT th:TH_LOAD_LU th:TH_LOAD_HT th:TH_LOAD_RT_WB th:TH_STORE_RT th:TH_STORE_NT
  th:TH_STORE_WB th:TH_STORE_RT_WB th:TH_STORE_NT_RT th:TH_ATOMIC_RT th:TH_ATOMIC_NT th:TH_ATOMIC_CASCADE_RT offset:4 offset:-4 offset:255
  offset:256 offset:2047 offset:2048 offset:-2048 offset:-2049 offset:4095 offset:65536 offset:-4096 offset:-4097 offset:8388607
  offset:8388608 offset:-8388608 offset:-8388609), 'glc slc', 'sc0 sc1', 'glc glc', 'offset:4 glc', 'offset0:255 offset1:1',
  'offset0:256 offset1:1', 'offset0:1 offset1:256');
my @lines;
open my $in, '<', 'tests/compilers/instructions.tsv' or die;
while (<$in>) {
  chomp;
  next if /^#/;
  my ($names, $operands) = split /\t/;
  my $modified = $names =~ s/^\+//;
  for my $name (split / /, $names) {
    my $line = defined $operands && length $operands ? "$name $operands" : $name;
    push @lines, map { my $m = $_; !length ? $line : /^offset/ && $line =~ / (?:glc|sc0)$/ ? $line =~ s/ (?=\w+$)/ $m /r : "$line $m" } grep { !($operands // '') || $operands !~ /\b\Q$_\E\b/ || !length } $modified ? @modifiers : ('');
  }
}
sub put { my ($name, $text) = @_; open my $out, '>', "$folder/$name" or die; print $out $text; close $out; return "$folder/$name" }
# The lines that a command refuses, from the number on that the first has.
sub refused {
  my ($first, $command) = @_;
  my %refused;
  /:(\d+):\d+: error: / and $refused{$1 - $first} = 1 for `$command 2>&1 >/dev/null`;
  return \%refused;
}
my ($different, $some, $all) = (0, 0, 0);
for my $gpu (split ' ', $gpus) {
  my $text = join '', map { "$_\n" } @lines;
  my $test = put("$gpu.litmus", "AMDGPU $gpu\ntarget $gpu\n{ x=0; }\nP0 {\n${text}end:\ns_endpgm\n}\nexists (true)\n");
  my $code = put("$gpu.s", "${text}end:\n");
  my $here = refused(5, "litscope explore $test");
  my @waves = $gpu =~ /^gfx1(?!250)\d{3}/ ? ('-mattr=+wavefrontsize32', '-mattr=+wavefrontsize64') : ('-mattr=');
  my @there = map { refused(1, "llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=$gpu $_ $code") } @waves;
  for my $i (0 .. $#lines) {
    my $refused = !grep { !$_->{$i} } @there;
    $all++;
    $some += $refused;
    next if $refused == !!$here->{$i};
    print "$gpu: $lines[$i]: ", $refused ? "LLVM refuses it\n" : "LLVM takes it\n";
    $different++;
  }
}
print "$all lines, of which LLVM refuses $some: $different different\n";
exit($different != 0 || $some < $all / 10);
EOF2
