#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# Conversions of OpenCL C, saturating or not, between all types of integers and from floats, of values at the bounds,
# scalars and vectors, known in advance and known only to a run: each is what Perl computes.  What rounds as a mode says
# is so too, and what does not fit may be anything.  Skipped where there is no clang-22.
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
cat >"$TMP/make.pl" <<'END'
use strict; use warnings; use Math::BigInt; use Math::BigFloat;
my ($from, $held) = @ARGV;
my %bits = (char => 8, short => 16, int => 32, long => 64);
my @integers = map { ($_, "u$_") } qw(char short int long);
my $integers = $from !~ /float|double/;
sub bounds {
  my ($type) = @_;
  my ($plain, $bits) = ($type =~ /^u/ ? 1 : 0, $bits{$type =~ s/^u//r});
  my $top = Math::BigInt->new(2)->bpow($bits - !$plain);
  return ($plain ? Math::BigInt->new(0) : -$top, $top - 1);
}
my (@values, @lines, @wants);
my $word = 0;
if ($integers) {
  my ($low, $top) = bounds($from);
  my %seen;
  my @near = map { my @b = bounds($_); ($b[0] - 1, $b[0], $b[1], $b[1] + 1) } @integers;
  @values = grep { $_ >= $low && $_ <= $top && !$seen{$_}++ } @near, Math::BigInt->new(5);
} else {
  @values = qw(-inf -1e30 -300.5 -128.5 -1.5 -0.5 0.0 2.5 127.5 255.5 65536.0 3e9 1e30 inf nan);
}
push @lines, map { "$from x$_ = " . ($held ? 't' : 'in') . "[$_];" } 0 .. $#values;
sub put {
  my ($line, $want) = @_;
  $want -= Math::BigInt->new(2)->bpow(64) if $want > Math::BigInt->new('9223372036854775807');
  push @lines, "o[$word] = $line;";
  push @wants, "%o[$word] == $want";
  $word++;
}
sub cut {
  my ($x, $to) = @_;
  my ($low, $top) = bounds($to);
  return $x eq 'nan' ? Math::BigInt->new(0) : $x eq 'inf' ? $top : $low if $x =~ /n[af]/;
  my $want = Math::BigInt->new(Math::BigFloat->new("$x")->bint);
  return $want < $low ? $low : $want > $top ? $top : $want;
}
for my $to (@integers) {
  put("convert_${to}_sat(x$_)", cut($values[$_], $to)) for 0 .. $#values;
  put("convert_long2(convert_${to}2_sat((${from}2)(x0, x1))).s1", cut($values[1], $to));
  next unless $integers;
  my ($plain, $bits) = ($to =~ /^u/ ? 1 : 0, $bits{$to =~ s/^u//r});
  for my $v (0 .. $#values) {
    my $want = $values[$v]->copy->bmod(Math::BigInt->new(2)->bpow($bits));
    $want -= Math::BigInt->new(2)->bpow($bits) if !$plain && $want >= Math::BigInt->new(2)->bpow($bits - 1);
    put("convert_$to(x$v)", $want);
  }
}
put("convert_double(x2) == (double)x2", Math::BigInt->new(1));
my $count = @values;
my $given = join ', ', @values;
my $zeros = join ', ', (0) x $word;
my $condition = join ' and ', @wants;
my $body = join "\n    ", @lines;
print <<"KERNEL";
// \@Config: 2, 1, 1
// \@Input: %in = {$given}
// \@Input: %o = {$zeros}
// \@Output: forall ($condition)
kernel void convert(global const $from *in, global long *o) {
  local $from t[$count];
  if (get_local_id(0) == 0)
    for (int i = 0; i < $count; i++) t[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 1) {
    $body
  }
}
KERNEL
END
for from in char uchar short ushort int uint long ulong float double; do
  for held in 0 1; do
    perl "$TMP/make.pl" $from $held >"$TMP/$from$held.cl"
    litscope check "$TMP/$from$held.cl" >"$TMP/log" || { grep -A1 '^States' "$TMP/log"; grep '^Condition' "$TMP/log"; exit 1; }
    grep -qx Ok "$TMP/log"
  done
done
cat >"$TMP/modes.cl" <<'END'
// @Config: 1, 1, 1
// @Input: %in = {2.5, -2.5, 3.5, 300.0, 16777217.0}
// @Input: %n = {16777217}
// @Output: forall (%o[0] == 2 and %o[1] == 3 and %o[2] == 2 and %o[3] == 2 and %o[4] == -2 and %o[5] == -2 and %o[6] == -3 and %o[7] == -2 and %o[8] == 4)
// @Input: %o = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// @Input: %f = {0, 0, 0}
kernel void modes(global const double *in, global const int *n, global int *o, global float *f) {
  for (int i = 0; i < 2; i++) {
    o[4 * i] = convert_int_rte(in[i]);
    o[4 * i + 1] = convert_int_rtp(in[i]);
    o[4 * i + 2] = convert_int_rtn(in[i]);
    o[4 * i + 3] = convert_int_rtz(in[i]);
  }
  o[8] = convert_int_rte(in[2]);
  f[0] = convert_float_rtz(in[2]);
  o[9] = convert_char(in[3]);
  f[1] = convert_float_rtp(in[4]);
  f[2] = convert_float_rtp(n[0]);
}
END
litscope check -q "$TMP/modes.cl" | grep -x Ok
for open in "%o[9] == 1" "%o[9] == 44" "%f[0] == 3.5" "%f[1] == 16777216.0" "%f[2] == 0.0"; do
  litscope check -q -output "exists (not $open)" "$TMP/modes.cl" | grep -x Ok
done
