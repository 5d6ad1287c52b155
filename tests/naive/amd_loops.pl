# SPDX-License-Identifier: MIT
# Random assembly with loops, for amd_compare.pl: threads that wait for a flag, count, swap until it succeeds, and access
# arrays at indices that they have read.
#
#   amd_loops.pl COUNT SEED FOLDER
#
# writes R1.litmus, R2.litmus, ... to the folder.
use strict;
use warnings;
my ($count, $seed, $folder) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my ($target, $gfx9, $new, $labels);
sub load { my ($to, $address, $bits) = @_; return 'global_load_' . ($new ? 'b32' : 'dword') . " $to, $address, off$bits" }
sub store { my ($address, $data) = @_; return 'global_store_' . ($new ? 'b32' : 'dword') . " $address, $data, off" }
sub wait_all { return $gfx9 ? 's_waitcnt vmcnt(0)' : ('s_waitcnt vmcnt(0)', 's_waitcnt_vscnt null, 0x0') }
sub fresh { return $target eq 'gfx942' ? ' sc1' : $target eq 'gfx1030' ? ' glc dlc' : ' glc' }
sub invalidate { return $target eq 'gfx90a' ? 'buffer_wbinvl1_vol' : $target eq 'gfx942' ? 'buffer_inv sc1' : ('buffer_gl1_inv', 'buffer_gl0_inv') }
sub mask { return $gfx9 ? 'vcc' : 'vcc_lo' }
sub some { my ($often, @lines) = @_; return draw(4) < $often ? @lines : () }
sub add { my ($to, $a, $b) = @_; return ($gfx9 ? 'v_add_u32' : 'v_add_nc_u32') . " $to, $a, $b" }

# Pointers: v[2:3] x, an array of two; v[4:5] y. v0 is 0, v1 is 1; v10 to v15 are results.
sub piece {
  my ($t, $n) = @_;
  my ($v, $label, $kind) = ('v' . (10 + $n), '.L' . $labels++, draw(8));
  my $pointer = 'v[4:5]';
  return (store($pointer, 'v1'), some(3, wait_all())) if $kind == 0;
  return (load($v, $pointer, any('', fresh())), wait_all(), some(2, invalidate())) if $kind == 1;
  return ("$label:", load($v, $pointer, any('', fresh())), wait_all(), some(2, invalidate()), "v_cmp_eq_u32 @{[mask()]}, 0, $v", "s_cbranch_vccnz $label")
    if $kind == 2 || $kind == 3; # waits
  return ("s_mov_b32 s20, 2", "$label:", load($v, $pointer, any('', fresh())), wait_all(), 's_add_i32 s20, s20, -1', 's_cmp_lg_u32 s20, 0', "s_cbranch_scc1 $label")
    if $kind == 4; # looks twice
  return (load('v9', $pointer, fresh()), "$label:", wait_all(), add('v8', '1', 'v9'), "v_mov_b32 $v, v9",
          "global_atomic_cmpswap" . ($new ? '_b32' : '') . " v9, $pointer, v[8:9], off" . ($target eq 'gfx942' ? ' sc0' : ' glc'),
          wait_all(), "v_cmp_ne_u32 @{[mask()]}, v9, $v", "s_cbranch_vccnz $label")
    if $kind == 5; # adds 1
  # an element of the array, at an index that was read
  return (load('v20', $pointer, any('', fresh())), wait_all(), 'v_and_b32 v20, v20, 1', 'v_lshlrev_b32 v20, 2, v20',
          $gfx9 ? ('v_add_co_u32 v22, vcc, v2, v20', 'v_addc_co_u32 v23, vcc, v3, v0, vcc')
                : ('v_add_co_u32 v22, vcc_lo, v2, v20', 'v_add_co_ci_u32 v23, vcc_lo, v3, v0, vcc_lo'),
          draw(2) ? (load($v, 'v[22:23]', ''), wait_all()) : store('v[22:23]', 'v1'));
}

for my $i (1 .. $count) {
  $target = any(qw(gfx90a gfx942 gfx1030 gfx1100));
  ($gfx9, $new, $labels) = ($target =~ /^gfx9/, $target eq 'gfx1100', 0);
  my $text = "AMDGPU R$i\ntarget $target\n{ x[2]={3,4}; y=0;";
  $text .= " $_:v[2:3]=x; $_:v[4:5]=y; $_:v0=0; $_:v1=1;" for 0, 1;
  $text .= " }\n";
  my @shown = ('x[0]', 'x[1]', 'y');
  for my $t (0, 1) {
    my @lines = map { piece($t, $_) } 0 .. 1;
    push @shown, map { "$t:v1$_" } grep { my $v = "v1$_"; grep { /\b$v\b/ } @lines } 0 .. 2;
    $text .= "P$t {\n" . join('', map { /:$/ ? "$_\n" : "  $_\n" } @lines) . "}\n";
  }
  $text .= 'scopeTree (device ' . any('(work_group P0) (work_group P1)', '(work_group P0 P1)') . ")\n";
  open my $out, '>', "$folder/R$i.litmus" or die;
  print $out $text . "locations [" . join(' ', map { "$_;" } @shown) . "]\nexists (y=1)\n";
  close $out;
}
