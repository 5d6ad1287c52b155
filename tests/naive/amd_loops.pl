# SPDX-License-Identifier: MIT
# Random assembly with loops, for amd_compare.pl: two or three threads that wait for a flag, count, swap until it
# succeeds, add until they find enough, and access arrays at indices that they have read; with MEMORIES, also threads
# that use private memory, local memory and flat addresses, and sometimes too early; with SCALARS, those that also load
# through the scalar cache; with GROUPS, up to four that meet at barriers, with what they have not waited for.  Every GPU
# and mode.
#
#   amd_loops.pl COUNT SEED FOLDER [memories|scalars|groups]
#
# writes R1.litmus, R2.litmus, ... to the folder.
use strict;
use warnings;
my ($count, $seed, $folder, $kind) = (@ARGV, '');
my ($memories, $scalars, $meet) = ($kind eq 'memories', $kind eq 'scalars', $kind eq 'groups');
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my ($target, $mode, $gfx9, $new, $gfx12, $labels);
sub load { my ($to, $address, $bits) = @_; return 'global_load_' . width() . " $to, $address, off$bits" }
sub store { my ($address, $data) = @_; return 'global_store_' . width() . " $address, $data, off" }
sub wait_all {
  return $gfx12 ? ('s_wait_loadcnt 0x0', 's_wait_storecnt 0x0') : $gfx9 ? 's_waitcnt vmcnt(0)' : ('s_waitcnt vmcnt(0)', 's_waitcnt_vscnt null, 0x0');
}
sub fresh { return $gfx12 ? ' scope:SCOPE_DEV' : $target eq 'gfx942' ? any(' sc1', ' sc0') : $target eq 'gfx1030' ? ' glc dlc' : ' glc' }
sub returning { return $gfx12 ? ' th:TH_ATOMIC_RETURN' : $target eq 'gfx942' ? ' sc0' : ' glc' }
sub invalidate {
  return $gfx12 ? 'global_inv scope:SCOPE_DEV' : $target eq 'gfx90a' ? 'buffer_wbinvl1_vol' : $target eq 'gfx942' ? 'buffer_inv sc1' : ('buffer_gl1_inv', 'buffer_gl0_inv');
}
sub barrier { return $gfx12 ? ('s_barrier_signal -1', 's_barrier_wait -1') : 's_barrier' }
sub mask { return $gfx9 ? 'vcc' : 'vcc_lo' }
sub some { my ($often, @lines) = @_; return draw(4) < $often ? @lines : () }
sub add { my ($to, $a, $b) = @_; return ($gfx9 ? 'v_add_u32' : 'v_add_nc_u32') . " $to, $a, $b" }

sub width { return $new ? 'b32' : 'dword' }
# Mostly for all that counts, sometimes for one counter of both or for nothing.
sub wait_some {
  return any(('s_wait_loadcnt_dscnt 0x0') x 6, 's_wait_loadcnt 0x0', 's_wait_dscnt 0x0', 's_nop 0') if $gfx12;
  return any(('s_waitcnt vmcnt(0) lgkmcnt(0)') x 6, 's_waitcnt vmcnt(0)', 's_waitcnt lgkmcnt(0)', 's_nop 0');
}

sub atomic {
  my ($what) = @_;
  my %newer = (map({ ("u$_" => "${_}_u32", "s$_" => "${_}_i32") } qw(min max)), map({ $_ => "${_}_u32" } qw(inc dec add)), map { $_ => "${_}_b32" } qw(and or xor));
  return 'global_atomic_' . ($new ? $newer{$what} : $what);
}

# At v20 bytes after where an array begins.
sub element {
  my ($v) = @_;
  my ($load, $kind) = (draw(2), draw(4));
  return (add('v24', 'v20', 'v32'), $load ? ($new ? 'ds_load_b32' : 'ds_read_b32') . " $v, v24" : ($new ? 'ds_store_b32' : 'ds_write_b32') . ' v24, v1', wait_some()) if $kind == 0;
  my ($low, $high) = $kind == 1 ? ('v30', 'v31') : ('v34', 'v35');
  return (add('v26', 'v20', $low), "v_mov_b32 v27, $high", $load ? 'flat_load_' . width() . " $v, v[26:27]" : 'flat_store_' . width() . ' v[26:27], v1', wait_some()) if $kind < 3;
  return (add('v28', 'v20', 'v33'), $new ? $load ? "scratch_load_b32 $v, v28, off" : 'scratch_store_b32 v28, v1, off'
            : $load ? "buffer_load_dword $v, v28, s[0:3], 0 offen" : 'buffer_store_dword v1, v28, s[0:3], 0 offen', wait_some());
}

# Pointers: v[30:31] a, of local memory, as a flat address, v32 as its own; v33 s[1], of private memory, v[34:35] flat.
sub memory_piece {
  my ($t, $n) = @_;
  my ($v, $kind, $label) = ('v' . (10 + $n), draw(11), '.L' . $labels++);
  my $flat = any('v[2:3]', 'v[4:5]', 'v[30:31]', 'v[34:35]');
  return ('flat_load_' . width() . " $v, $flat" . any('', $flat =~ /3[04]/ ? '' : fresh()), wait_some(), "v_mov_b32 v9, $v") if $kind == 0;
  return ('flat_store_' . width() . " $flat, v1", wait_some()) if $kind == 1;
  return ($new ? ("scratch_store_b32 v33, v1, off", "scratch_load_b32 $v, v33, off")
               : ("buffer_store_dword v1, v33, s[0:3], 0 offen", "buffer_load_dword $v, v33, s[0:3], 0 offen"),
          load('v8', 'v[4:5]', ''), any($gfx12 ? 's_wait_loadcnt 0x1' : 's_waitcnt vmcnt(1)', wait_some()), "v_mov_b32 v9, $v") if $kind == 2;
  my ($read, $write, $mask) = ($new ? 'ds_load_b32' : 'ds_read_b32', $new ? 'ds_store_b32' : 'ds_write_b32', mask());
  return ("$write v32, v1", some(2, wait_some()), barrier()) if $kind == 3;
  # an element of the array in local memory, by its own address or a flat one, or of that in private memory
  return (load('v20', 'v[4:5]', any('', fresh())), wait_all(), 'v_and_b32 v20, 1, v20', 'v_lshlrev_b32 v20, 2, v20', element($v)) if $kind == 6;
  return ("$label:", "$read $v, v32", wait_some(), some(2, invalidate()), "v_cmp_eq_u32 $mask, 5, $v", "s_cbranch_vccnz $label") if $kind == 7;
  return ("$label:", 'ds_' . any('add', 'max', 'inc', 'min') . "_rtn_u32 $v, v32, " . any('v1', 'v6'), wait_some(), "v_cmp_gt_u32 $mask, " . any(5, 7) . ", $v", "s_cbranch_vccnz $label")
    if $kind == 8;
  return (atomic(any(qw(umin umax smin smax inc dec and or xor))) . " $v, v[4:5], v6, off" . returning(), wait_some(), "v_mov_b32 v9, $v") if $kind == 9;
  return ('ds_' . ($new ? 'store' : 'write') . '_' . any('b8', 'b16') . ' v32, ' . any('v1', 'v6') . any('', ' offset:2', ' offset:4'), some(3, wait_some())) if $kind == 10;
  return ("$read $v, v32", wait_some(), "v_mov_b32 v9, $v") if $kind == 4;
  return ('flat_atomic_add' . ($new ? '_u32' : '') . " $v, " . any('v[4:5]', 'v[30:31]') . ', v1' . returning(), wait_some(), "v_mov_b32 v9, $v");
}

# Through the scalar cache, mostly waited for.  s[50:51] is x, s[52:53] y.
sub scalar_piece {
  my ($n) = @_;
  my ($v, $s) = ('v' . (10 + $n), 's' . (54 + $n));
  return ('s_load_' . width() . " $s, " . any('s[50:51], 0x0', 's[50:51], 0x4', 's[52:53], 0x0'), some(1, store('v[4:5]', 'v1')),
          draw(8) ? $gfx12 ? 's_wait_kmcnt 0x0' : 's_waitcnt lgkmcnt(0)' : wait_all(), "v_mov_b32 $v, $s");
}

sub group_piece {
  my ($n) = @_;
  my ($v, $label, $kind) = ('v' . (10 + $n), '.L' . $labels++, draw(12));
  my ($own, $other) = (any('v[2:3]', 'v[36:37]'), any('v[2:3]', 'v[4:5]', 'v[36:37]'));
  return (store($other, any('v1', 'v6')) . any('', '', $target eq 'gfx942' ? ' sc1' : $target eq 'gfx1250' ? ' scope:SCOPE_DEV' : ''), some(1, wait_all()),
          some($target eq 'gfx1250' ? 1 : 0, 'global_wb scope:SCOPE_DEV', wait_all())) if $kind < 3;
  return (load($v, $other, any('', fresh())), some(2, wait_all()), some(1, invalidate())) if $kind < 6;
  return $gfx12 && !draw(3) ? ('s_barrier_signal -1', store($own, 'v6'), 's_barrier_wait -1') : (some(2, wait_all()), barrier()) if $kind < 9;
  return $mode eq 'tgsplit' ? invalidate() : ($new ? "ds_store_b32 v32, v6" : "ds_write_b32 v32, v6", $new ? "ds_load_b32 $v, v32" : "ds_read_b32 $v, v32") if $kind == 9;
  return ("global_atomic_add" . ($new ? '_u32' : '') . " $v, $other, v1, off" . returning(), some(3, wait_all())) if $kind == 10;
  return ("$label:", load($v, 'v[4:5]', any('', fresh())), wait_all(), some(2, invalidate()), "v_cmp_eq_u32 @{[mask()]}, 0, $v", "s_cbranch_vccnz $label");
}

# Pointers: v[2:3] x, an array of two; v[4:5] y. v0 is 0, v1 is 1; v10 to v15 are results.
sub piece {
  my ($t, $n) = @_;
  my ($v, $label, $kind) = ('v' . (10 + $n), '.L' . $labels++, draw(12));
  my ($two, $wide) = ("v[@{[10 + 2 * $n]}:@{[11 + 2 * $n]}]", $new ? 'b64' : 'dwordx2');
  my $pointer = 'v[4:5]';
  return (store($pointer, 'v1'), some(3, wait_all())) if $kind == 0;
  # the whole array, with or without a wait
  return ("global_load_$wide $two, v[2:3], off" . any('', fresh()), some(3, wait_all()), "v_mov_b32 v9, v@{[11 + 2 * $n]}") if $kind == 9;
  return ("global_store_$wide v[2:3], v[6:7], off", some(3, wait_all())) if $kind == 10;
  return (load($v, $pointer, any('', fresh())), wait_all(), some(2, invalidate())) if $kind == 1;
  return ("$label:", load($v, $pointer, any('', fresh())), wait_all(), some(2, invalidate()), "v_cmp_eq_u32 @{[mask()]}, 0, $v", "s_cbranch_vccnz $label")
    if $kind == 2 || $kind == 3; # waits
  return ("s_mov_b32 s20, 2", "$label:", load($v, $pointer, any('', fresh())), wait_all(), ($gfx12 ? 's_add_co_i32' : 's_add_i32') . ' s20, s20, -1', 's_cmp_lg_u32 s20, 0', "s_cbranch_scc1 $label")
    if $kind == 4; # looks twice
  return (load('v9', $pointer, fresh()), "$label:", wait_all(), add('v8', '1', 'v9'), "v_mov_b32 $v, v9",
          "global_atomic_cmpswap" . ($new ? '_b32' : '') . " v9, $pointer, v[8:9], off" . returning(),
          wait_all(), "v_cmp_ne_u32 @{[mask()]}, v9, $v", "s_cbranch_vccnz $label")
    if $kind == 5; # adds 1
  return ("$label:", "global_atomic_add" . ($new ? '_u32' : '') . " $v, $pointer, v1, off" . returning(), wait_all(),
          some(2, store('v[2:3]', $v)), "v_cmp_" . any('gt', 'ge') . "_i32 @{[mask()]}, 1, $v", "s_cbranch_vccnz $label")
    if $kind == 6; # counts until it finds more
  # some bytes, where no cache keeps what is stored
  return ($target =~ /942|1250/ ? store($pointer, 'v6') : 'global_store_' . any($new ? ('b8', 'b16') : ('byte', 'short')) . ' ' . any($pointer, 'v[2:3]') . ', ' . any('v1', 'v6') . ', off' . any('', ' offset:2'),
          some(3, wait_all())) if $kind == 11;
  # an element of the array, at an index that was read
  return (load('v20', $pointer, any('', fresh())), wait_all(), 'v_and_b32 v20, v20, 1', 'v_lshlrev_b32 v20, 2, v20',
          $gfx9 ? ('v_add_co_u32 v22, vcc, v2, v20', 'v_addc_co_u32 v23, vcc, v3, v0, vcc')
                : ('v_add_co_u32 v22, vcc_lo, v2, v20', 'v_add_co_ci_u32 v23, vcc_lo, v3, v0, vcc_lo'),
          draw(2) ? (load($v, 'v[22:23]', ''), wait_all()) : store('v[22:23]', 'v1'));
}

for my $i (1 .. $count) {
  ($target, $mode) = split /:/, any(qw(gfx90a gfx942 gfx1030 gfx1030:cumode gfx1100 gfx1100:cumode gfx1200 gfx1200:cumode gfx1250),
                                    $memories ? () : qw(gfx90a:tgsplit gfx942:tgsplit)); # there is no local memory
  ($gfx9, $new, $gfx12, $labels) = (scalar($target =~ /^gfx9/), $target =~ /^gfx1[12]/, $target =~ /^gfx12/, 0);
  $mode //= '';
  my @threads = 0 .. 1 + draw($meet ? 3 : 2);
  my $text = "AMDGPU R$i\ntarget $target" . ($mode ? ":$mode" : '') . "\n{ x[2]={3,4}; y=0;" . ($memories ? ' lds a[2]={5,6}; scratch s[2]={7,8};' : '') . ($meet ? ' z=0;' . ($mode eq 'tgsplit' ? '' : ' lds a=0;') : '');
  $text .= " $_:v[2:3]=x; $_:v[4:5]=y; $_:v0=0; $_:v1=1;" . ($meet ? '' : " $_:v6=@{[$_ + 6]}; $_:v7=@{[$_ + 9]};") . ($memories ? " $_:v32=a; $_:v33=s;" : '') .
    ($scalars ? " $_:s[50:51]=x; $_:s[52:53]=y;" : '') . ($meet ? " $_:v[36:37]=z; $_:v6=@{[$_ + 2]};" . ($mode eq 'tgsplit' ? '' : " $_:v32=a;") : '') for @threads;
  $text .= " }\n";
  my @shown = ('x[0]', 'x[1]', 'y', $meet ? 'z' : ());
  for my $t (@threads) {
    my @lines = $meet ? ((map { group_piece($_) } 0 .. (@threads == 4 ? 1 : 2) + draw(2)), wait_all(), wait_some()) : map { $memories ? memory_piece($t, $_) : $scalars && draw(2) ? scalar_piece($_) : piece($t, $_) } @threads == 2 || !$t ? (0, 1) : 0;
    unshift @lines, 's_mov_b64 s[40:41], src_shared_base', 's_mov_b64 s[42:43], src_private_base', 'v_mov_b32 v30, v32', 'v_mov_b32 v31, s41',
      'v_mov_b32 v34, v33', 'v_mov_b32 v35, s43' if $memories;
    push @shown, map { "$t:v1$_" } grep { my $v = "v1$_"; grep { /\b$v\b/ } @lines } 0 .. 3;
    $text .= "P$t {\n" . join('', map { /:$/ ? "$_\n" : "  $_\n" } @lines) . "}\n";
  }
  $text .= $meet ? 'scopeTree (device ' . any(@threads == 4 ? ('(work_group P0 P1) (work_group P2 P3)', '(work_group P0 P1 P2) (work_group P3)') : @threads == 3 ? ('(work_group P0 P1) (work_group P2)', '(work_group P0 P1 P2)') : '(work_group P0 P1)') . ")\n" :
    'scopeTree (device ' . any('(work_group P0) (work_group P1', '(work_group P0 P1') . any(@threads == 2 ? ")" : (" P2)", ") (work_group P2)")) . ")\n";
  open my $out, '>', "$folder/R$i.litmus" or die;
  print $out $text . "locations [" . join(' ', map { "$_;" } @shown) . "]\nexists (y=1)\n";
  close $out;
}
