# SPDX-License-Identifier: MIT
# The AMD machine a second time, for amd_naive.sh: small, slow, and written from its description rather than from
# hwsem/amd/, with which it shares nothing but the text of AMDGPU litmus tests.  It is an interpreter: registers hold
# numbers, addresses are numbers, and an instruction is looked at when its turn comes.  A state is a hash, copied for
# each step.
#
#   amd_machine.pl [reduced] [NAME=WORD]... TEST.litmus
#
# prints `states N`, `stuck N`, `hazards N`, and the outcomes, sorted.  An access outside the locations is a hazard too.
# Without `reduced` a wait is a step, and every line may be fetched and dropped at any time (threads with loops are run
# so, and those with scalar loads of locations); with it a wait ends as soon as it can, and lines that no load of the
# compute unit (of the shader array) can still look up are absent.
use strict;
use warnings;

my ($reduced, %knob, $file) = (0, place => 'far', upd => 0, wb => 1, l2 => 1, fill => 1);
for (@ARGV) {
  if ($_ eq 'reduced') { $reduced = 1 }
  elsif (/^(\w+)=(\w+)$/) { $knob{$1} = $2 }
  else { $file = $_ }
}

# ---- the test ----

my ($text, $gpu, $mode) = do { local $/; open my $in, '<', $file or die "$file: $!\n"; <$in> };
($gpu, $mode) = $text =~ /^target (\w+)(?::(\w+))?/m;
$mode //= '';
my ($init) = $text =~ /\{((?:[^{}]|\{[^}]*\})*)\}/;
my %kernarg = map { my ($at, $name) = /(0x\w+)\s+(\w+)/; hex $at => $name } split /,/, ($text =~ /^kernarg \{(.*)\}/m)[0] // '';
my @code;
while ($text =~ /^P(\d+) \{\n(.*?)^\}/msg) {
  my ($t, @lines) = ($1, split /\n/, $2);
  $code[$t] = [map { s/;.*//r } @lines];
}
if (!@code) { # columns
  my ($table) = $text =~ /^( P0 .*?)^(?:scopeTree|exists|locations|~exists|forall)/ms;
  my ($head, @rows) = map { s/;\s*$//r } split /\n/, $table;
  my @heads = split /\|/, $head;
  for my $row (@rows) {
    my @cells = split /\|/, $row, -1;
    push @{$code[$_]}, $cells[$_] for 0 .. $#heads;
  }
}
my (%label, @program);
for my $t (0 .. $#code) {
  for my $line (@{$code[$t]}) {
    $line =~ s/^\s+|\s+$//g;
    if ($line =~ /^([.\w\$]+):$/) { $label{"$t $1"} = @{$program[$t] //= []}; next }
    push @{$program[$t]}, $line if length $line;
  }
  push @{$program[$t]}, 's_endpgm';
}
my @wg = 0 .. $#program;
if ($text =~ /^scopeTree (.*)$/m) {
  my ($tree, $g) = ($1, 0);
  for my $group ($tree =~ /\(work_group([^()]*)\)/g) {
    $wg[$_] = $g for $group =~ /P(\d+)/g;
    $g++;
  }
}
my (@names, @lds, @private, %begin, %register, %cell_of);
# An array is as many locations, x[0], x[1], ..., side by side.
sub cells {
  my ($name, $count, $values) = @_;
  my @values = split /\s*,\s*/, $values // '';
  for my $k (0 .. $count - 1) {
    $begin{"${name}[$k]"} = $values[$k] // 0;
    $cell_of{"${name}[$k]"} = [$name, $k];
  }
  return map { "${name}[$_]" } 0 .. $count - 1;
}
for my $item (grep { /\S/ } split /;/, $init) {
  if ($item =~ /^\s*lds\s+(\w+)\[(\d+)\](?:\s*=\s*\{(.*)\})?/) { push @lds, cells($1, $2, $3) }
  elsif ($item =~ /^\s*scratch\s+(\w+)\[(\d+)\](?:\s*=\s*\{(.*)\})?/) { push @private, cells($1, $2, $3) }
  elsif ($item =~ /^\s*(\w+)\[(\d+)\](?:\s*=\s*\{(.*)\})?\s*$/) { push @names, cells($1, $2, $3) }
  elsif ($item =~ /^\s*lds\s+(\w+)\s*=\s*(-?\d+)/) { push @lds, $1; $begin{$1} = $2 }
  elsif ($item =~ /^\s*(\d+):(\S+?)\s*=\s*(\w+)/) { $register{$1}{$2} = $3 }
  elsif ($item =~ /^\s*(\w+)\s*=\s*(-?\d+)/) { push @names, $1; $begin{$1} = $2 }
}

# Addresses: a page each, and 301 words apart in local memory; cells of an array side by side.  A flat address has an
# upper word: one for local memory, one for private memory, else none.
my %address = (kernarg => 0x200000, out => 0x100000);
my (%at, %lds_at);
for my $k (0 .. $#names) {
  my ($array, $cell) = @{$cell_of{$names[$k]} // [$names[$k], 0]};
  $address{$array} //= 0x1000 * ($k + 1);
  $at{$address{$array} + 4 * $cell} = $names[$k];
}
{
  my (%first, $arrays);
  for my $name (@lds) {
    my ($array, $cell) = @{$cell_of{$name} // [$name, 0]};
    $address{$array} = $first{$array} //= 4 * 301 * ($arrays++ // 0);
    $lds_at{$first{$array} + 4 * $cell} = $name;
  }
}

my %aperture = (src_shared_base => 0xa000 << 32, src_private_base => 0xc000 << 32);
my (%private_at, $private_arrays);
for my $name (@private) {
  my ($array, $cell) = @{$cell_of{$name}};
  $address{$array} = 0x10000 * ++$private_arrays if $cell == 0;
  $private_at{$address{$array} + 4 * $cell} = $name;
}

# ---- the GPU ----

my $gfx9 = $gpu =~ /^gfx9/;
my $has_gl1 = $gpu =~ /^gfx1[01]/;
my $has_scalars = grep { /^s_load_(dword|b32)\s/ } map { @$_ } @program;
my $split = $gfx9 ? $mode eq 'tgsplit' : $mode ne 'cumode'; # waves of a work-group are on several CUs
my @cu = map { $knob{place} eq 'one' && !$split ? 0 : $knob{place} eq 'packed' || !$split ? $wg[$_] : $_ } 0 .. $#program;
my @sa = map { $knob{place} =~ /^(far|packed)$/ ? $wg[$_] : 0 } 0 .. $#program;
my %sa_of;
$sa_of{$cu[$_]} = $sa[$_] for 0 .. $#program;
# GFX125x: a WGP has one cache, which each of its waves reaches by a queue of its own. Like an L2 that is no memory's home,
# it says of a store that it is done before the next level has it.
my $wgp = $gpu =~ /^gfx125/;
@cu = 0 .. $#program if $wgp;
my $several = $wgp || $knob{l2} == 2;
my %l2_of = map { $cu[$_] => $wgp ? ($knob{place} eq 'one' ? 0 : $wg[$_]) : $several ? $wg[$_] % 2 : 0 } 0 .. $#program;
my @l2s = sort keys %{{map { $_ => 1 } values %l2_of}};
@l2s = (0, 1) if $several && !$wgp;
my %home = map { $names[$_] => $wgp ? -1 : $several ? $_ % 2 : 0 } 0 .. $#names;
my $beyond = $wgp ? qr/SCOPE_DEV|SCOPE_SYS/ : qr/\bsc1\b|SCOPE_SYS/; # past the caches that may have another value
my @cus = sort { $a <=> $b } keys %sa_of;
my %sas = map { $_ => 1 } values %sa_of;
my @sas = sort keys %sas;

# How many caches a load passes: 1 L0, 2 and GL1, 3 and the L2.
sub level {
  my ($bits) = @_;
  if ($gpu eq 'gfx942') { return $bits =~ /\bsc1\b/ ? 3 : $bits =~ /\bsc0\b/ && $mode eq 'tgsplit' ? 1 : 0 }
  return $bits =~ /\bglc\b/ ? 1 : 0 if $gfx9;
  return $bits =~ /\bdlc\b/ ? 2 : $bits =~ /\bglc\b/ ? 1 : 0 if $gpu =~ /^gfx10/;
  return $bits =~ /\bglc\b/ ? 2 : 0 if $gpu =~ /^gfx11/;
  return $bits =~ /SCOPE_/ && $bits !~ /SCOPE_CU/ ? 3 : 1 if $wgp; # the queue is in front of the cache
  return $bits =~ /SCOPE_SYS/ ? 3 : $bits =~ /SCOPE_DEV/ ? 2 : $bits =~ /SCOPE_SE/ ? 1 : 0;
}

# ---- registers ----

my %words_of = ('' => 1, 32 => 1, x2 => 2, 64 => 2, x3 => 3, 96 => 3, x4 => 4, 128 => 4);

sub number { my ($word) = @_; return $word =~ m{^0x} ? oct $word : $word }

sub copy {
  my %s = %{$_[0]};
  for (values %s) { $_ = ref eq 'HASH' ? {%$_} : [@$_] if ref }
  return \%s;
}

# The names of the 32-bit registers that an operand is.
sub parts {
  my ($operand, $words) = @_;
  return map { "$1$_" } $2 .. $3 if $operand =~ /^([sva])\[(\d+):(\d+)\]$/;
  return map { "$1" . ($2 + $_) } 0 .. $words - 1 if $operand =~ /^([sva])(\d+)$/;
  return $words == 2 && $gfx9 ? ($operand . '_lo', $operand . '_hi') : ($operand . '_lo') if $operand =~ /^(vcc|exec)$/;
  return ($operand) if $operand =~ /^(vcc|exec)_(lo|hi)$|^scc$|^m0$/;
  return ();
}

my $hazard; # set where the instruction at hand reads or writes a register too early
sub read_register {
  my ($s, $t, $name) = @_;
  $hazard = 1 if $s->{"scalar$t"}{$name} || grep { " $_->[5] " =~ / $name / } @{$s->{"ops$t"}};
  return $s->{"r$t"}{$name} // 0;
}
sub value { # of 32 bits
  my ($s, $t, $operand) = @_;
  return hex($operand) if $operand =~ /^0x/;
  return $operand & 0xffffffff if $operand =~ /^-?\d+$/;
  return $aperture{$operand} >> 32 if $aperture{$operand};
  return 0 if $operand =~ /^(null|off)$/;
  my ($part) = parts($operand, 1);
  die "$file: operand $operand\n" if !defined $part;
  return read_register($s, $t, $part);
}
sub value64 {
  my ($s, $t, $operand) = @_;
  return $aperture{$operand} if $aperture{$operand};
  return $operand =~ /^0x/ ? hex $operand : $operand < 0 ? ~0 : $operand if $operand =~ /^(0x\w+|-?\d+)$/;
  my @parts = parts($operand, 2);
  my ($low, $high) = map { read_register($s, $t, $_) } @parts;
  return $low + (($high // 0) << 32);
}
sub put {
  my ($s, $t, $operand, $value, $words) = @_;
  my @parts = parts($operand, $words // 1);
  for my $part (@parts) {
    read_register($s, $t, $part);
    $s->{"r$t"}{$part} = $value & 0xffffffff;
    $value = $value >> 32;
  }
}
sub exec_on { my ($s, $t) = @_; return ($s->{"r$t"}{exec_lo} // 0) & 1 }

# ---- private instructions: they are done when a thread gets there ----

# An operation of memory: [class, kind, location, data, done, destinations, serial]; one that is done at once has no
# location.  The data of loads and stores are those of each location that is not served yet, with its register or value.
sub issue {
  my ($s, $t, $class, $kind, $location, $data, $done, $destination) = @_;
  push @{$s->{"ops$t"}}, [$class, $kind, $location // '', $data // '', $done, $destination // '', $s->{"serial$t"}++];
  return $s->{"ops$t"}[-1];
}

sub class_of { my ($kind) = @_; return $gfx9 ? 'load' : $kind eq 'load' ? 'load' : 'store' }

my %two = (
  and => sub { $_[0] & $_[1] }, or => sub { $_[0] | $_[1] }, xor => sub { $_[0] ^ $_[1] }, add => sub { $_[0] + $_[1] },
  andn2 => sub { $_[0] & ~$_[1] }, and_not1 => sub { $_[0] & ~$_[1] });
my %compare = (
  eq => sub { $_[0] == $_[1] }, ne => sub { $_[0] != $_[1] }, lg => sub { $_[0] != $_[1] }, lt => sub { $_[0] < $_[1] },
  le => sub { $_[0] <= $_[1] }, gt => sub { $_[0] > $_[1] }, ge => sub { $_[0] >= $_[1] });
sub with_sign { my ($v) = @_; $v &= 0xffffffff; return $v >= 2147483648 ? $v - 4294967296 : $v }

# Runs one private instruction; false: it is none, and the thread stays before it.
sub private {
  my ($s, $t, $line) = @_;
  if ($line =~ m{ :: }) { # both halves read before either writes
    my $before = $s->{"r$t"};
    my %after = %$before;
    for my $half (split m{ :: }, $line) {
      my $own = {%$s, "r$t" => {%$before}};
      private($own, $t, $half);
      for my $name (keys %{$own->{"r$t"}}) { $after{$name} = $own->{"r$t"}{$name} if $own->{"r$t"}{$name} ne ($before->{$name} // '') }
    }
    $s->{"r$t"} = \%after;
    return 1;
  }
  my ($op, $rest) = $line =~ /^(\S+)\s*(.*)$/;
  $op =~ s/_e(32|64)$//;
  $op =~ s/^v_dual_/v_/;
  my @w = split /\s*,\s*/, $rest;
  my $on = exec_on($s, $t);
  return 1 if $op =~ /^s_(nop|clause|delay_alu|sendmsg|setreg_imm32_b32|waitcnt_depctr|wait_alu)$/;
  return 1 if $op =~ /^s_wait_(samplecnt|bvhcnt|xcnt|expcnt)$/;
  if ($op =~ /^s_load_(?:dword|b)(x?\d+)$/) {
    my ($size, %words) = ($1, x2 => 2, x4 => 4, x8 => 8, 64 => 2, 128 => 4, 256 => 8);
    my $at = value64($s, $t, $w[1]) + ($w[2] =~ /^0x/ ? hex $w[2] : $w[2]) - $address{kernarg};
    my @parts = parts($w[0], $words{$size});
    for my $i (0 .. $#parts) {
      my $name = $kernarg{$at + 4 * $i};
      put($s, $t, $parts[$i], defined $name ? $address{$name} : 0);
    }
    $s->{"scalar$t"} = {%{$s->{"scalar$t"}}, map { $_ => 1 } @parts};
    return 1;
  }
  if ($op =~ /^s_mov_b(32|64)$/) { put($s, $t, $w[0], $1 == 64 ? value64($s, $t, $w[1]) : value($s, $t, $w[1]), $1 / 32); return 1 }
  if ($op =~ /^s_(and|or|xor|andn2|and_not1)_b(32|64)$/) {
    my @v = map { $2 == 64 ? value64($s, $t, $_) : value($s, $t, $_) } @w[1, 2];
    my $v = $two{$1}->(@v);
    put($s, $t, $w[0], $v, $2 / 32);
    $s->{"r$t"}{scc} = $v ? 1 : 0;
    return 1;
  }
  if ($op =~ /^s_(and|or)_saveexec_b(32|64)$/) {
    my ($what, $words, $exec) = ($1, $2 / 32, $2 == 64 ? 'exec' : 'exec_lo');
    my ($old, $v) = map { $words == 2 ? value64($s, $t, $_) : value($s, $t, $_) } $exec, $w[1];
    my $new = $two{$what}->($old, $v);
    put($s, $t, $w[0], $old, $words);
    put($s, $t, $exec, $new, $words);
    $s->{"r$t"}{scc} = $new ? 1 : 0;
    return 1;
  }
  if ($op =~ /^s_(add|sub)(?:_co)?_[iu]32$/) {
    my $v = value($s, $t, $w[1]) + ($1 eq 'add' ? 1 : -1) * value($s, $t, $w[2]);
    put($s, $t, $w[0], $v & 0xffffffff);
    return 1;
  }
  if ($op =~ /^s_cmp_(eq|lg|lt|le|gt|ge)_(u|i)32$/) {
    my @v = map { my $v = value($s, $t, $_); $2 eq 'i' ? with_sign($v) : $v } @w[0, 1];
    $s->{"r$t"}{scc} = $compare{$1}->(@v) ? 1 : 0;
    return 1;
  }
  if ($op =~ /^v_cmp(x?)_(eq|ne|lt|le|gt|ge)_(u|i)32$/) {
    my ($x, $what, $sign) = ($1, $2, $3);
    my ($to, @of) = @w == 3 ? @w : ($gfx9 ? 'vcc' : 'vcc_lo', @w);
    $to = $gfx9 ? 'exec' : 'exec_lo' if $x;
    my $bit = $on && $compare{$what}->(map { my $v = value($s, $t, $_); $sign eq 'i' ? with_sign($v) : $v } @of[0, 1]) ? 1 : 0;
    put($s, $t, $to, $bit, $gfx9 ? 2 : 1);
    return 1;
  }
  if ($op =~ /^s_cbranch_(execz|execnz|vccz|vccnz|scc0|scc1)$/ || $op =~ /^s_(branch)$/) {
    my %taken = (
      branch => 1, execz => !$on, execnz => $on, vccz => !(($s->{"r$t"}{vcc_lo} // 0) & 1), vccnz => ($s->{"r$t"}{vcc_lo} // 0) & 1,
      scc0 => !$s->{"r$t"}{scc}, scc1 => $s->{"r$t"}{scc});
    if ($taken{$1}) { $s->{"pc$t"} = $label{"$t $w[0]"} // die "$file: no label $w[0]\n"; return 2 }
    return 1;
  }
  return 0 if $op !~ /^v_/;
  if ($op =~ /^v_readfirstlane_b32$/) { put($s, $t, $w[0], value($s, $t, $w[1])); return 1 }
  if (!$on) { return 1 }
  if ($op =~ /^v_(mov|accvgpr_read|accvgpr_write|accvgpr_mov)(_b32)?$/) { put($s, $t, $w[0], value($s, $t, $w[1])); return 1 }
  if ($op =~ /^v_(and|or|xor|add)(?:_nc)?_[bu]32$/) { put($s, $t, $w[0], $two{$1}->(map { value($s, $t, $_) } @w[1, 2])); return 1 }
  if ($op =~ /^v_sub(?:_nc)?_u32$/) { put($s, $t, $w[0], (value($s, $t, $w[1]) - value($s, $t, $w[2])) & 0xffffffff); return 1 }
  if ($op =~ /^v_ashrrev_i32$/) { my $v = with_sign(value($s, $t, $w[2])); my $by = value($s, $t, $w[1]); put($s, $t, $w[0], ($v < 0 ? ~(~$v >> $by) : $v >> $by) & 0xffffffff); return 1 }
  if ($op =~ /^v_lshlrev_b32$/) { put($s, $t, $w[0], value($s, $t, $w[2]) << value($s, $t, $w[1])); return 1 }
  if ($op =~ /^v_lshlrev_b64$/) { put($s, $t, $w[0], value64($s, $t, $w[2]) << value($s, $t, $w[1]), 2); return 1 }
  if ($op =~ /^v_lshl_add_u64$/) { put($s, $t, $w[0], (value64($s, $t, $w[1]) << value($s, $t, $w[2])) + value64($s, $t, $w[3]), 2); return 1 }
  if ($op =~ /^v_lshl_add_u32$/) { put($s, $t, $w[0], (value($s, $t, $w[1]) << value($s, $t, $w[2])) + value($s, $t, $w[3])); return 1 }
  if ($op =~ /^v_(add_co|addc_co|add_co_ci)(_ci)?_u32$/) {
    my $carry = $w[4] ? read_register($s, $t, (parts($w[4], 1))[0]) & 1 : 0;
    my $sum = value($s, $t, $w[2]) + value($s, $t, $w[3]) + $carry;
    put($s, $t, $w[0], $sum);
    put($s, $t, $w[1], $sum >> 32, 1);
    return 1;
  }
  if ($op =~ /^v_cndmask_b32$/) {
    my $mask = $w[3] =~ /^vcc/ ? 'vcc_lo' : (parts($w[3], 1))[0];
    put($s, $t, $w[0], value($s, $t, $w[read_register($s, $t, $mask) & 1 ? 2 : 1]));
    return 1;
  }
  die "$file: unknown instruction $line\n";
}

# A result is written to `out`: at once, though it takes its turn in the counter.
sub result {
  my ($s, $t, $line) = @_;
  return 0 if $line !~ /^global_store_(?:dword|b(?!8|16\b))(x?\d*)\s+(\S+), (\S+), (\S+)(.*)$/;
  my ($size, $offset, $data, $base, $bits) = ($1, $2, $3, $4, $5);
  my $at = address($s, $t, $offset, $base, $bits);
  return 0 if $at < $address{out} || $at >= $address{kernarg};
  my @data = parts($data, $words_of{$size});
  $s->{"out$t"}[($at - $address{out}) / 4 + $_] = read_register($s, $t, $data[$_]) for 0 .. $#data;
  issue($s, $t, class_of('store'), 'result', '', '', 1);
  return 1;
}

# Private memory: read and written at once, and counted like global memory.  `buffer_` and `scratch_` have an address of
# one word, a flat one says by its upper word that it is private.
sub private_access {
  my ($s, $t, $line) = @_;
  my ($kind, $does, $rest) = $line =~ /^(buffer|scratch|flat)_(load|store)_(?:dword|b32)\s+(.*)$/ or return 0;
  my ($offset, $at, $data) = ($rest =~ /offset:(\d+)/ ? $1 : 0);
  my @w = map { /^(\S+)/ } split /\s*,\s*/, $rest;
  if ($kind eq 'flat') {
    ($at, $data) = $does eq 'load' ? @w[1, 0] : @w[0, 1];
    $at = value64($s, $t, $at);
    return 0 if $at >> 32 != $aperture{src_private_base} >> 32;
    $at &= 0xffffffff;
    issue($s, $t, 'lds', 'flat', '', '', 1);
  } elsif ($kind eq 'buffer') { # data, address, resource, base
    $data = $w[0];
    $at = value($s, $t, $w[1]) + value($s, $t, $w[3]);
  } else {
    ($at, my $base, $data) = $does eq 'load' ? @w[1, 2, 0] : @w[0, 2, 1];
    $at = value($s, $t, $at) + value($s, $t, $base);
  }
  my $memory = $s->{"private$t"} = {%{$s->{"private$t"}}};
  if ($does eq 'store') {
    $memory->{$at + $offset} = value($s, $t, $data);
  } else {
    put($s, $t, $data, $memory->{$at + $offset} // 0);
  }
  issue($s, $t, class_of($does), 'private', '', '', 1, $does eq 'load' ? $data : '');
  return 1;
}

# `umax` and `max_u32` are max of numbers without a sign, `add` and `add_u32` additions.
sub update {
  my ($what) = @_;
  return ($2, $1 eq 's' ? 'i' : $1) if $what =~ /^([us])(min|max)$/;
  return ($1, $2) if $what =~ /^(\w+?)_([uib])32$/;
  return ($what, $what =~ /^(and|or|xor|swap|cmpswap)$/ ? 'b' : 'u');
}

# A flat instruction on other memory: the instruction of that memory, which does the same.
sub flat_line {
  my ($s, $t, $line) = @_;
  my ($what, $rest) = $line =~ /^flat_(\w+)\s+(.*)$/ or return $line;
  my @w = split /\s*,\s*/, $rest;
  my $bits = $w[-1] =~ s/\s+(.*)$// ? " $1" : '';
  my $k = $what =~ /^store/ || $what =~ /^atomic/ && @w == 2 ? 0 : 1; # the address
  if ((value64($s, $t, $w[$k]) >> 32) == $aperture{src_shared_base} >> 32) {
    my ($pair) = parts($w[$k], 2);
    my ($kind, $type) = update($what =~ s/^atomic_//r);
    my $op = $what =~ /^load/ ? 'read_b32' : $what =~ /^store/ ? 'write_b32' : "$kind@{[$k ? '_rtn' : '']}_${type}32";
    $w[$k] = $pair;
    return "ds_$op " . join(', ', @w) . ($bits =~ /(offset:\d+)/ ? " $1" : '');
  }
  splice @w, $what =~ /^load/ ? 2 : @w, 0, 'off';
  return "global_$what " . join(', ', @w) . $bits;
}

# A scalar load of a location: its register and the location.  One of the kernel's arguments is none.
sub scalar_load {
  my ($s, $t, $line) = @_;
  my ($to, $base, $offset) = $line =~ /^s_load_(?:dword|b32)\s+(\S+), (\S+), (\w+)$/ or return;
  my $x = $at{value64($s, $t, $base) + number($offset)};
  return defined $x ? ($to, $x) : ();
}

sub address {
  my ($s, $t, $offset, $base, $bits) = @_;
  my $scale = $bits =~ /scale_offset/ ? 4 : 1; # of words
  my $part = $base =~ /^off/ ? value64($s, $t, $offset) : ($wgp ? with_sign(value($s, $t, $offset)) : value($s, $t, $offset)) * $scale;
  my $at = $base =~ /^off/ ? $part : $part + value64($s, $t, $base);
  $at += $1 if $bits =~ /offset:(-?\d+)/;
  return $at;
}

# ---- waits ----

# How many operations of a class are outstanding: from the oldest that is not done.
sub outstanding {
  my ($s, $t, $class) = @_;
  my @all = grep { $_->[0] eq $class } @{$s->{"ops$t"}};
  shift @all while @all && $all[0][4];
  return scalar @all;
}

# What a wait names: class to number; undef where the line is no wait.
sub wait_of {
  my ($line) = @_;
  my %n;
  if ($line =~ /^s_waitcnt\s+(.*)/) {
    my $what = $1;
    $n{load} = $1 if $what =~ /vmcnt\((\d+)\)/;
    $n{lds} = $1 if $what =~ /lgkmcnt\((\d+)\)/;
    return \%n;
  }
  return {store => number($1)} if $line =~ /^s_waitcnt_vscnt\s+null, (\w+)/;
  my %class = (load => 'load', store => 'store', ds => 'lds');
  return {$class{$1} => number($2)} if $line =~ /^s_wait_(load|store|ds)cnt\s+(\w+)/;
  return {scalar => number($1)} if $line =~ /^s_wait_kmcnt\s+(\w+)/;
  return {$class{$1} => (number($2) >> 8) & 255, lds => number($2) & 255} if $line =~ /^s_wait_(load|store)cnt_dscnt\s+(\w+)/;
  return undef;
}

sub wait_is_over {
  my ($s, $t, $wait) = @_;
  return !grep { outstanding($s, $t, $_) > $wait->{$_} } keys %$wait;
}

# The destinations of all but the last n become readable.
sub end_wait {
  my ($s, $t, $wait) = @_;
  for my $class (keys %$wait) {
    my @all = grep { $_->[0] eq $class } @{$s->{"ops$t"}};
    splice @all, @all - $wait->{$class} if $wait->{$class} && $wait->{$class} <= @all;
    @all = () if $wait->{$class} > grep { $_->[0] eq $class } @{$s->{"ops$t"}};
    $_->[5] = '' for @all;
  }
  # scalar loads come back in any order, so that only a wait for all of them covers one
  my $scalar = $gpu =~ /^gfx12/ ? 'scalar' : 'lds';
  $s->{"scalar$t"} = {} if defined $wait->{$scalar} && $wait->{$scalar} == 0;
}

# ---- settling ----

sub forget {
  my ($s, $t) = @_;
  my (%blocked, @left);
  for my $op (@{$s->{"ops$t"}}) {
    $blocked{$op->[0]} = 1 if !$op->[4] || $op->[5] ne ''; # what is issued later counts for a wait
    push @left, $op if $blocked{$op->[0]};
  }
  $s->{"ops$t"} = \@left;
}

# Does what is private; with reductions, also waits that are over.
sub settle {
  my ($s) = @_;
  for my $t (0 .. $#program) {
    $s->{"ops$t"} = [map { [@$_] } @{$s->{"ops$t"}}];
    for (;;) {
      my $line = $program[$t][$s->{"pc$t"}];
      last if $line =~ /^s_endpgm/;
      my $wait = wait_of($line);
      if ($line =~ /^s_barrier_wait/ || ($line =~ /^s_barrier$/ && $s->{"met$t"})) {
        last if $s->{arrived}{$t};
        $s->{"met$t"} = 0;
        $s->{"pc$t"}++;
      } elsif ($wait) {
        last if !$reduced || !wait_is_over($s, $t, $wait);
        end_wait($s, $t, $wait);
        $s->{"pc$t"}++;
      } elsif ($line =~ /^(global|flat|ds|scratch|buffer_load|buffer_store)_/ && !exec_on($s, $t)) {
        $s->{"pc$t"}++;
      } elsif (scalar_load($s, $t, $line)) {
        die "$file: scalar loads of locations are not reduced\n" if $reduced;
        last;
      } elsif ($line =~ /^(global|flat|ds|buffer|scratch)_/ || $line =~ /^s_barrier/) {
        last if !result($s, $t, $line) && !private_access($s, $t, $line);
        $s->{"pc$t"}++;
      } else {
        my $done = private($s, $t, $line);
        die "$file: unknown instruction $line\n" if !$done;
        $s->{"pc$t"}++ if $done == 1;
      }
      if ($hazard) { $s->{hazard} = 1; $hazard = 0; return }
    }
    forget($s, $t);
  }
  drop_lines($s) if $reduced;
}

# Locations that a thread may still load, past so many caches at most; a load on its way counts for GL1 and the L2.
sub may_load {
  my ($s, $t, $most, $on_the_way) = @_;
  my %set;
  for my $pc ($s->{"pc$t"} .. $#{$program[$t]}) {
    my $line = $program[$t][$pc];
    next if $line !~ /^global_load_(?:dword|b)(x?\d*)\s+\S+, \S+, \S+(.*)$/ || level($2) > $most;
    $set{$_} = 1 for grep { defined } map { $at{address_of($t, $pc) + 4 * $_} } 0 .. $words_of{$1} - 1;
  }
  if ($on_the_way) {
    for my $op (@{$s->{"ops$t"}}) { @set{split / /, $op->[2]} = (1) x 16 if $op->[1] =~ /^load(\d)/ && $1 <= $most && !$op->[4] }
  }
  return \%set;
}

sub drop_lines {
  my ($s) = @_;
  my (%l0, %l1, %l2);
  for my $t (0 .. $#program) {
    $l0{$cu[$t]}{$_} = 1 for keys %{may_load($s, $t, 0, 0)};
    $l1{$sa[$t]}{$_} = 1 for keys %{may_load($s, $t, 1, 1)};
    $l2{$l2_of{$cu[$t]}}{$_} = 1 for keys %{may_load($s, $t, 2, 1)};
  }
  for my $key (keys %{$s->{l0}}) { my ($c, $x) = split / /, $key; delete $s->{l0}{$key} if !$l0{$c}{$x} }
  for my $key (keys %{$s->{l1}}) { my ($a, $x) = split / /, $key; delete $s->{l1}{$key} if !$l1{$a}{$x} }
  if ($several) {
    for my $key (keys %{$s->{l2}}) {
      my ($g, $x) = split / /, $key;
      delete $s->{l2}{$key} if $s->{l2}{$key} !~ /^d/ && ($g == $home{$x} || !$l2{$g}{$x});
    }
  }
}

# The address of an instruction, from a run of the thread in which every load gives each of 0, 1, 2, 4.
my %known;
sub address_of {
  my ($t, $pc) = @_;
  return $known{"$t $pc"} if exists $known{"$t $pc"};
  my ($run, $result) = (start(), undef);
  $run->{"r$t"}{exec_lo} = 1;
  for my $i (0 .. $pc) {
    my $line = $program[$t][$i];
    $run->{"ops$t"} = [];
    if ($i == $pc) {
      my ($offset, $base, $bits) = $line =~ /^global_load_\w+\s+\S+, (\S+), (\S+)(.*)$/;
      $result = address($run, $t, $offset, $base, $bits);
    } elsif ($line !~ /^(global|flat|ds|buffer)_/ && $line !~ /^s_(wait|barrier|cbranch|branch)/) {
      private($run, $t, $line);
      $run->{"r$t"}{exec_lo} = 1;
    }
  }
  $hazard = 0;
  return $known{"$t $pc"} = $result;
}

# ---- steps ----

sub start {
  my $s = {mem => {}, l0 => {}, l1 => {}, l2 => {}, scalars => {}, q => {}, lds => {}, arrived => {}};
  for my $t (0 .. $#program) {
    $s->{"pc$t"} = 0;
    $s->{"met$t"} = $s->{"part$t"} = 0;
    $s->{"r$t"} = {exec_lo => 1};
    $s->{"ops$t"} = [];
    $s->{"serial$t"} = 0;
    $s->{"out$t"} = [];
    $s->{"scalar$t"} = {};
    $s->{"private$t"} = {map { $_ => $begin{$private_at{$_}} } keys %private_at};
    for my $name (keys %{$register{$t} // {}}) {
      my $word = $register{$t}{$name};
      my @parts = parts($name, 1);
      my $v = exists $address{$word} ? $address{$word} : $word;
      $s->{"r$t"}{$parts[0]} = $v;
      $s->{"r$t"}{$parts[$_]} = 0 for 1 .. $#parts;
    }
    $s->{lds}{"$wg[$t] $_"} = $begin{$_} for @lds;
  }
  $s->{mem}{$_} = $begin{$_} for @names;
  return $s;
}

sub enqueue {
  my ($s, $t, $x, $op) = @_;
  my $key = "$cu[$t] $x";
  $s->{q}{$key} = [@{$s->{q}{$key} // []}, [$t, $op->[6]]];
}

sub open_barrier {
  my ($s, $g) = @_;
  for my $t (0 .. $#program) {
    return 0 if $wg[$t] == $g && !$s->{arrived}{$t} && !ended($s, $t);
  }
  delete $s->{arrived}{$_} for grep { $wg[$_] == $g } 0 .. $#program;
  return 1;
}

# An access of no location ends the run.
sub found { return $_[0] // '' }
sub astray { my ($s) = @_; $s->{hazard} = 1; $hazard = 0; return $s }

sub ended { my ($s, $t) = @_; return $program[$t][$s->{"pc$t"}] =~ /^s_endpgm/ }

# The step of a thread that has not ended, if it has one.
sub thread_step {
  my ($s, $t) = @_;
  my $line = $program[$t][$s->{"pc$t"}];
  my $wait = wait_of($line);
  if ($wait) {
    return if !wait_is_over($s, $t, $wait);
    $s->{"ops$t"} = [map { [@$_] } @{$s->{"ops$t"}}];
    end_wait($s, $t, $wait);
    $s->{"pc$t"}++;
    return $s;
  }
  if ($line =~ /^s_barrier_signal/ || ($line =~ /^s_barrier$/ && !$s->{"met$t"})) {
    $s->{arrived}{$t} = 1;
    if ($line =~ /signal/) { $s->{"pc$t"}++ } else { $s->{"met$t"} = 1; open_barrier($s, $wg[$t]) }
    return $s;
  }
  if ($line =~ /^s_barrier_wait/) { return open_barrier($s, $wg[$t]) ? $s : undef } # for all
  return if $line =~ /^s_barrier/;
  my $ops = $s->{"ops$t"} = [map { [@$_] } @{$s->{"ops$t"}}];
  my $c = $cu[$t];
  my $flat = $line =~ /^flat_/;
  $line = flat_line($s, $t, $line);
  if ($line =~ /^(buffer_wbinvl1|buffer_wbinvl1_vol|buffer_inv\b.*|buffer_gl0_inv|buffer_gl1_inv|buffer_invl2|global_inv.*)$/) {
    my $what = $1;
    my $l0 = $what =~ /wbinvl1|gl0|^buffer_inv\b(?!l2)|global_inv/ && $what !~ /invl2/;
    $l0 = 0 if $what =~ /^(buffer_inv|global_inv)$/; # the scope of a wave
    if ($l0) { delete $s->{l0}{$_} for grep { /^$c / } keys %{$s->{l0}} }
    if ($what =~ /gl1/) { delete $s->{l1}{$_} for grep { /^$sa[$t] / } keys %{$s->{l1}} }
    if ($several && ($what =~ /invl2|$beyond/ || ($wgp && $what =~ /SCOPE_SE/))) {
      my $g = $l2_of{$c};
      for my $key (grep { /^$g / } keys %{$s->{l2}}) { delete $s->{l2}{$key} if $s->{l2}{$key} !~ /^d/ && $home{substr $key, 2} != $g }
    }
    issue($s, $t, 'load', 'inv', '', '', 1) if $what =~ /^global_inv/;
    $s->{"pc$t"}++;
    return $s;
  }
  if ($line =~ /^(buffer_wbl2|global_wb)\b/) {
    my $op = issue($s, $t, class_of('store'), 'marker', '', '', 1);
    if (($several || $knob{wb} == 2) && ($gpu !~ /^gfx(942|125)/ || $line =~ $beyond)) {
      ($op->[3], $op->[4]) = (scalar @names, 0);
      enqueue($s, $t, $_, $op) for @names;
    }
    $s->{"pc$t"}++;
    return $s;
  }
  if (my ($scalar, $from) = scalar_load($s, $t, $line)) {
    read_register($s, $t, $scalar); # overwritten
    issue($s, $t, $gpu =~ /^gfx12/ ? 'scalar' : 'lds', 'scalar', $from, $scalar, 0);
    $s->{"scalar$t"} = {%{$s->{"scalar$t"}}, $scalar => 1};
  } elsif ($line =~ /^global_(load|store)_(?:dword|b(?!8|16\b))(x?\d*)\s+(\S+), (\S+), (\S+)(.*)$/) {
    my ($load, $words, @w, $bits) = ($1 eq 'load', $words_of{$2}, $3, $4, $5);
    ($bits) = $line =~ /^\S+\s+\S+, \S+, \S+(.*)$/;
    my ($at, @registers) = (address($s, $t, $w[$load ? 1 : 0], $w[2], $bits), (parts($w[$load ? 0 : 1], $words))[0 .. $words - 1]);
    my @x = map { found($at{$at + 4 * $_}) } 0 .. $words - 1;
    return astray($s) if grep { $_ eq '' } @x;
    # One cell after the other joins its queue, each in a step of its own.
    my $k = $s->{"part$t"};
    my @values = $k ? () : map { read_register($s, $t, $_) } @registers; # read, or overwritten
    my ($level, $through) = (level($bits), $bits =~ $beyond ? 1 : 0);
    my @parts = map { "$x[$_]=" . ($load ? $registers[$_] : $values[$_] // 0) } 0 .. $words - 1;
    my $op = $k ? $ops->[-1] : issue($s, $t, class_of($load ? 'load' : 'store'), $load ? "load$level" : "store$through", "@x", "@parts", 0, $load ? "@registers" : '');
    my $line = "$c $x[$k]";
    if ($load && $level == 0 && defined $s->{l0}{$line}) {
      $s->{"r$t"}{take_part($op, $x[$k])} = $s->{l0}{$line};
      $op->[4] = 1 if $op->[3] eq '';
    } else {
      enqueue($s, $t, $x[$k], $op);
      if ($load) { delete $s->{l0}{$line} if $level }
      elsif ($knob{upd} && !$through) { ($s->{l0}{$line}) = map { /^\Q$x[$k]\E=(.*)/ } split / /, $op->[3] if defined $s->{l0}{$line} }
      else { delete $s->{l0}{$line} }
    }
    $s->{"part$t"} = ($k + 1) % $words;
    $s->{"pc$t"}-- if $s->{"part$t"};
  } elsif ($line =~ /^global_store_(byte|short|b8|b16)\s+(\S+), (\S+), (\S+)(.*)$/) {
    # Some bytes of a location: the others stay what they are where the store gets to.
    my ($size, $offset, $data, $base, $bits) = ($1, $2, $3, $4, $5);
    my ($bytes, $at) = ($size =~ /b8|byte/ ? 1 : 2, address($s, $t, $offset, $base, $bits));
    my $x = found($at{$at - $at % 4});
    return astray($s) if $x eq '' || $at % 4 + $bytes > 4;
    my ($v, $kept) = part_of(read_register($s, $t, $data), $bytes, $at % 4);
    my $through = $bits =~ $beyond ? 1 : 0;
    my $op = issue($s, $t, class_of('store'), "part$through", $x, "$v $kept", 0);
    enqueue($s, $t, $x, $op);
    my $line = "$c $x";
    if ($knob{upd} && !$through && defined $s->{l0}{$line}) { $s->{l0}{$line} = changed('part', $s->{l0}{$line}, $v, $kept) } else { delete $s->{l0}{$line} }
  } elsif ($line =~ /^ds_(?:write|store)_(b8|b16)\s+(\S+), (\w+)(.*)$/) {
    my ($size, $address, $data, $bits) = ($1, $2, $3, $4);
    my $bytes = $size eq 'b8' ? 1 : 2;
    my $at = value($s, $t, $address) + ($bits =~ /offset:(\d+)/ ? $1 : 0);
    my $x = found($lds_at{$at - $at % 4});
    return astray($s) if $x eq '' || $at % 4 + $bytes > 4;
    my ($v, $kept) = part_of(read_register($s, $t, $data), $bytes, $at % 4);
    issue($s, $t, 'lds', 'lds part', $x, "$v $kept", 0)->[7] = '';
  } elsif ($line =~ /^global_atomic_(\w+)\s+(.*)$/) {
    my ($what, $rest) = ($1, $2);
    my $kind = join '_', update($what);
    my $returns = $rest =~ /\bglc\b|\bTH_ATOMIC_RETURN\b/ || ($gpu eq 'gfx942' && $rest =~ /\bsc0\b/);
    my @w = map { /^(\S+)/ } split /\s*,\s*/, $rest;
    my $to = $returns ? shift @w : '';
    my $x = found($at{address($s, $t, $w[0], $w[2], $rest)});
    return astray($s) if $x eq '';
    my @data = map { read_register($s, $t, $_) } parts($w[1], 1);
    read_register($s, $t, $to) if $returns;
    my $op = issue($s, $t, $returns ? class_of('load') : class_of('store'), "rmw $kind", $x, "@data $to", 0, $to);
    $op->[7] = $rest =~ /\bsc1\b|SCOPE_SYS/ ? 1 : 0;
    enqueue($s, $t, $x, $op);
    delete $s->{l0}{"$c $x"};
  } elsif ($line =~ /^ds_(\w+?)(?:_rtn)?_([bui])32\s+(.*)$/) {
    my ($kind, $type, $rest) = ($1, $2, $3);
    $kind .= "_$type" if $kind =~ /^(min|max)$/;
    my @w = map { /^(\S+)/ } split /\s*,\s*/, $rest;
    my $offset = $rest =~ /offset:(\d+)/ ? $1 : 0;
    my $returns = $kind =~ /^(read|load)$/ || $line =~ /_rtn_/;
    my $to = $returns ? shift @w : '';
    my $x = found($lds_at{value($s, $t, $w[0]) + $offset});
    return astray($s) if $x eq '';
    my @data = map { value($s, $t, $_) } @w[1 .. $#w];
    read_register($s, $t, $to) if $returns;
    my $op = issue($s, $t, 'lds', "lds $kind", $x, "@data", 0, $to);
    $op->[7] = $to;
  } else {
    die "$file: unknown instruction $line\n";
  }
  if ($hazard) { $s->{hazard} = 1; $hazard = 0; return $s }
  # a flat access counts for both kinds of memory; where it does not go, it is done
  issue($s, $t, $line =~ /^ds_/ ? class_of($line =~ /read|rtn/ ? 'load' : 'store') : 'lds', 'flat', '', '', 1) if $flat;
  $s->{"pc$t"}++;
  return $s;
}

# What is written of a location of four bytes, and the bits that are not.
sub part_of {
  my ($v, $bytes, $from) = @_;
  my $mask = ((1 << 8 * $bytes) - 1) << 8 * $from;
  return (($v << 8 * $from) & $mask, 0xffffffff & ~$mask);
}

sub changed {
  my ($kind, $old, @data) = ($_[0], map { /^\d+$/ ? $_ + 0 : $_ } @_[1 .. $#_]); # as numbers: Perl's | of two texts is another one
  return ($old + $data[0]) & 0xffffffff if $kind =~ /^add/;
  return ($old - $data[0]) & 0xffffffff if $kind =~ /^sub/;
  return $data[0] if $kind =~ /^(swap|wrxchg|storexchg|write|store)/;
  return $old == $data[1] ? $data[0] : $old if $kind =~ /^(cmpswap|cmpstore)/;
  return $old == $data[0] ? $data[1] : $old if $kind eq 'cmpst';
  return ($old & $data[1]) | $data[0] if $kind eq 'part';
  return $old >= $data[0] ? 0 : $old + 1 if $kind =~ /^inc/;
  return $old == 0 || $old > $data[0] ? $data[0] : $old - 1 if $kind =~ /^dec/;
  if ($kind =~ /^(min|max)_(u|i)/) {
    my ($least, $a, $b) = ($1 eq 'min', map { $2 eq 'i' ? with_sign($_) : $_ } $old, $data[0]);
    return (($a < $b) == $least ? $a : $b) & 0xffffffff;
  }
  return $two{$1}->($old, $data[0]) if $kind =~ /^(and|or|xor)/;
  return $old if $kind =~ /^(read|load)/;
  die "$file: unknown read-modify-write $kind\n";
}

# The register or value that is left to be served for a location.
sub take_part {
  my ($op, $x) = @_;
  my @parts = split / /, $op->[3];
  my ($part) = grep { index($_, "$x=") == 0 } @parts;
  $op->[3] = join ' ', grep { $_ ne $part } @parts;
  return substr $part, length "$x=";
}

sub find_op {
  my ($s, $t, $serial) = @_;
  $s->{"ops$t"} = [map { [@$_] } @{$s->{"ops$t"}}];
  my ($op) = grep { $_->[6] == $serial } @{$s->{"ops$t"}};
  return $op;
}

# The request at the head of a queue meets GL1 and the L2.
sub serve {
  my ($s, $key) = @_;
  my ($c, $x) = split / /, $key;
  my ($head, @left) = @{$s->{q}{$key}};
  if (@left) { $s->{q}{$key} = \@left } else { delete $s->{q}{$key} }
  my ($t, $serial) = @$head;
  my $op = find_op($s, $t, $serial);
  my ($a, $g, $kind) = ("$sa_of{$c} $x", $l2_of{$c}, $op->[1]);
  my ($own, $home) = ("$g $x", "$home{$x} $x");
  if ($kind eq 'marker') {
    if ($several && ($s->{l2}{$own} // '') =~ /^d(.*)/) { write_back($s, $own) }
    $op->[4] = 1 if --$op->[3] == 0;
    return $s;
  }
  if ($kind =~ /^load(\d)/) {
    my $level = $1;
    my $v = $level < 2 ? $s->{l1}{$a} : undef;
    if (!defined $v && $several) {
      delete $s->{l2}{$own} if $level == 3 && $home{$x} != $g && ($s->{l2}{$own} // 'd') !~ /^d/;
      $s->{l2}{$own} = "c$s->{mem}{$x}" if !defined $s->{l2}{$own} && $home{$x} != $g;
      $v = substr $s->{l2}{$own}, 1 if defined $s->{l2}{$own};
    }
    $v //= $s->{mem}{$x};
    if ($has_gl1) { if ($level < 2) { $s->{l1}{$a} = $v } else { delete $s->{l1}{$a} } }
    my $younger = grep { (find_kind($s, @$_)) !~ /^(load|marker)/ } @left;
    $s->{l0}{$key} = $v if $level == 0 && !$younger;
    $s->{"r$t"}{take_part($op, $x)} = $v;
    return $s if $op->[3] ne '';
  } elsif ($kind =~ /^part/) {
    $s->{mem}{$x} = changed('part', $s->{mem}{$x}, split / /, $op->[3]);
    delete $s->{l1}{$a};
  } elsif ($kind =~ /^store(\d)/) {
    my ($through, $v) = ($1, take_part($op, $x));
    if (!$several) { $s->{mem}{$x} = $v }
    elsif ($through) { $s->{l2}{$own} = "d$v"; write_back($s, $own) }
    else { $s->{l2}{$own} = "d$v" }
    delete $s->{l1}{$a};
    return $s if $op->[3] ne '';
  } else {
    if ($several) { for ($own, $home) { write_back($s, $_) if ($s->{l2}{$_} // '') =~ /^d/; delete $s->{l2}{$_} } }
    my @data = split / /, $op->[3];
    my $to = $op->[5] ne '' || $op->[0] eq 'load' && @data > ($kind =~ /cmp/ ? 2 : 1) ? $data[-1] : '';
    my $old = $s->{mem}{$x};
    $s->{mem}{$x} = changed(substr($kind, 4), $old, @data);
    $s->{"r$t"}{$to} = $old if $to ne '';
    delete $s->{l1}{$a};
  }
  $op->[4] = 1;
  return $s;
}
sub find_kind { my ($s, $t, $serial) = @_; return (grep { $_->[6] == $serial } @{$s->{"ops$t"}})[0][1] }

sub write_back {
  my ($s, $line) = @_;
  my ($g, $x) = split / /, $line;
  $s->{mem}{$x} = substr $s->{l2}{$line}, 1;
  delete $s->{l2}{"$home{$x} $x"};
  if ($g != $home{$x}) { $s->{l2}{$line} = "c$s->{mem}{$x}" }
}

# What an L2 has of a location, or memory behind it.
sub behind {
  my ($s, $c, $x) = @_;
  my $line = $several ? $s->{l2}{"$l2_of{$c} $x"} : undef;
  return defined $line ? substr $line, 1 : $s->{mem}{$x};
}

# A WGP's scalar cache is not behind its other one.
sub behind_scalars { my ($s, $c, $x) = @_; return $wgp ? $s->{mem}{$x} : behind($s, $c, $x) }

# A scalar load, one of those on their way, meets the scalar cache of its compute unit, and that the L2.
sub serve_scalar {
  my ($s, $t, $serial) = @_;
  my $op = find_op($s, $t, $serial);
  my ($c, $x) = ($cu[$t], $op->[2]);
  if (!defined $s->{scalars}{"$c $x"}) {
    my $own = "$l2_of{$c} $x";
    $s->{l2}{$own} //= "c$s->{mem}{$x}" if $several && !$wgp && $home{$x} != $l2_of{$c};
    $s->{scalars}{"$c $x"} = behind_scalars($s, $c, $x);
  }
  $s->{"r$t"}{$op->[3]} = $s->{scalars}{"$c $x"};
  @$op[3, 4] = ('', 1);
  return $s;
}

sub is_local { my ($op) = @_; return $op->[0] eq 'lds' && $op->[1] ne 'scalar' && !$op->[4] }
sub serve_lds {
  my ($s, $t) = @_;
  my ($op) = grep { is_local($_) } @{$s->{"ops$t"}};
  $op = find_op($s, $t, $op->[6]);
  my $key = "$wg[$t] $op->[2]";
  my $old = $s->{lds}{$key};
  $s->{lds}{$key} = changed(substr($op->[1], 4), $old, split / /, $op->[3]);
  $s->{"r$t"}{$op->[7]} = $old if $op->[7] ne '';
  $op->[4] = 1;
  return $s;
}

# All next states; those that count as progress first, then fetches and evictions.
sub steps {
  my ($s) = @_;
  my (@next, @lines);
  for my $t (0 .. $#program) {
    my $n = ended($s, $t) ? undef : thread_step(copy($s), $t);
    push @next, $n if $n;
    push @next, serve_lds(copy($s), $t) if grep { is_local($_) } @{$s->{"ops$t"}};
    push @next, map { serve_scalar(copy($s), $t, $_->[6]) } grep { $_->[1] eq 'scalar' && !$_->[4] } @{$s->{"ops$t"}};
  }
  for my $g (sort keys %{{map { $_ => 1 } @wg}}) {
    next if !grep { $wg[$_] == $g && $s->{"met$_"} && $s->{arrived}{$_} } 0 .. $#program;
    my $n = copy($s);
    push @next, $n if open_barrier($n, $g);
  }
  push @next, map { serve(copy($s), $_) } sort keys %{$s->{q}};
  my $count = @next;
  for my $c (@cus) {
    for my $x (@names) {
      my $line = "$c $x";
      if (defined $s->{l0}{$line}) {
        my $n = copy($s);
        delete $n->{l0}{$line};
        push @lines, $n;
      } elsif (!$s->{q}{$line} && $knob{fill} && !$wgp) {
        my ($g, $gl1) = ($l2_of{$c}, $s->{l1}{"$sa_of{$c} $x"});
        my $l2 = $several ? $s->{l2}{"$g $x"} : undef;
        next if $several && !defined $gl1 && !defined $l2 && $home{$x} != $g;
        my $n = copy($s);
        $n->{l0}{$line} = $gl1 // (defined $l2 ? substr $l2, 1 : $s->{mem}{$x});
        push @lines, $n;
      }
    }
  }
  for my $line ($has_scalars ? map { my $c = $_; map { "$c $_" } @names } @cus : ()) {
    next if !$knob{fill} && !defined $s->{scalars}{$line};
    my $n = copy($s);
    if (defined $s->{scalars}{$line}) { delete $n->{scalars}{$line} }
    else { $n->{scalars}{$line} = behind_scalars($s, split / /, $line) }
    push @lines, $n;
  }
  for my $a ($has_gl1 ? @sas : ()) {
    for my $x (@names) {
      next if !$knob{fill} && !defined $s->{l1}{"$a $x"};
      my $n = copy($s);
      if (defined $s->{l1}{"$a $x"}) { delete $n->{l1}{"$a $x"} }
      else { $n->{l1}{"$a $x"} = $s->{mem}{$x} }
      push @lines, $n;
    }
  }
  if ($several) {
    for my $g (@l2s) {
      for my $x (@names) {
        my $line = "$g $x";
        my $now = $s->{l2}{$line};
        next if !defined $now && (!$knob{fill} || $home{$x} == $g);
        my $n = copy($s);
        if (!defined $now) { $n->{l2}{$line} = "c$s->{mem}{$x}"; push @lines, $n }
        elsif ($now =~ /^d/) { write_back($n, $line); push @next, $n; $count++ }
        else { delete $n->{l2}{$line}; push @lines, $n }
      }
    }
  }
  return ($count, @next, @lines);
}

# ---- exploring ----

sub text_of {
  my ($s) = @_;
  my @text;
  for my $t (0 .. $#program) {
    push @text, "P$t", $s->{"pc$t"}, $s->{"met$t"}, $s->{"part$t"}, join(',', map { "$_=" . ($s->{"r$t"}{$_} // 0) } sort keys %{$s->{"r$t"}}),
      join(',', map { defined ? $_ : '-' } @{$s->{"out$t"}}), join(',', sort keys %{$s->{"scalar$t"}}),
      (map { "$_=" . $s->{"private$t"}{$_} } sort keys %{$s->{"private$t"}}), map { join '.', map { $_ // '' } @$_[0 .. 5], $_->[7] // '' } @{$s->{"ops$t"}};
  }
  for my $part (qw(mem l0 l1 l2 scalars lds arrived)) { push @text, $part, map { "$_=$s->{$part}{$_}" } sort keys %{$s->{$part}} }
  for my $key (sort keys %{$s->{q}}) { push @text, $key, map { find_place($s, @$_) } @{$s->{q}{$key}} }
  return join ' ', @text, $s->{hazard} ? 'hazard' : '';
}
sub find_place { my ($s, $t, $serial) = @_; my $i = 0; for (@{$s->{"ops$t"}}) { return "$t.$i" if $_->[6] == $serial; $i++ } return '?' }

sub is_final {
  my ($s) = @_;
  return 0 if grep { !ended($s, $_) } 0 .. $#program;
  return 0 if grep { !$_->[4] } map { @{$s->{"ops$_"}} } 0 .. $#program;
  return !grep { /^d/ } values %{$s->{l2}};
}

my @shown;
my ($condition) = $text =~ /^(?:exists|~exists|forall)\s*(.*)/m;
my ($listed) = $text =~ /^locations \[(.*)\]/m;
push @shown, $_ for grep { length } map { s/\s//gr } split /;/, $listed // '';
while (($condition // '') =~ /(\d+:\w+|\b[a-z]\w*\[\d+\]|\[?\b[a-z]\w*\]?)\s*=/g) { push @shown, $1 }
my %once;
@shown = sort grep { !$once{$_}++ } map { /\w\[/ ? $_ : s/[][]//gr } @shown;

sub outcome {
  my ($s) = @_;
  return join ' ', map {
    my $v = /^(\d+):out(\d+)$/ ? $s->{"out$1"}[$2] // 0 : /^(\d+):(\w+)$/ ? $s->{"r$1"}{$2} // 0 : $s->{mem}{$_};
    $v -= 4294967296 if $v >= 2147483648;
    (/[:\[]/ ? $_ : "[$_]") . "=$v;"
  } @shown;
}

my $first = start();
settle($first);
my (%seen, %outcomes, @todo) = ();
my ($stuck, $hazards) = (0, 0);
$seen{text_of($first)} = 1;
@todo = ($first);
while (my $s = pop @todo) {
  if ($s->{hazard}) { $hazards++; next }
  if (is_final($s)) { $outcomes{outcome($s)} = 1; next }
  my ($progress, @next) = steps($s);
  $stuck++ if !$progress && !is_final($s);
  for my $n (@next) {
    settle($n) if !$n->{hazard};
    next if $seen{text_of($n)}++;
    push @todo, $n;
  }
}
printf "states %d\nstuck %d\nhazards %d\n", scalar keys %seen, $stuck, $hazards;
print "$_\n" for sort keys %outcomes;
