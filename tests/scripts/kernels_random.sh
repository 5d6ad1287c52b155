# SPDX-License-Identifier: MIT
# slow
# Random kernels in OpenCL C and GLSL (loops, switches, arrays, pointers, atomics, barriers) against the naive engine,
# which tries everything: the same outcomes, in the same numbers, and undefined executions; and the answers that `check` gives without
# counting.  KERNELS_ROUNDS and KERNELS_SEED choose more, and others.
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
command -v glslangValidator >/dev/null || { echo "no glslangValidator: apt-get install glslang-tools"; exit 77; }
exec perl -- - "$TMP" "$BUILD/tests/naive/naive" "${KERNELS_ROUNDS:-8}" "${KERNELS_SEED:-5}" <<'PERL'
use strict;
use warnings;
my ($folder, $naive, $rounds, $seed) = @ARGV;
sub draw { my ($n) = @_; $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $n }
sub any { return $_[draw(scalar @_)] }

my @configs = ('2, 1, 1', '2, 1, 1', '1, 2, 1', '1, 1, 2', '3, 1, 1');

# What differs between the languages.
my %opencl = (
  kind => 'cl', model => 'models/opencl-rsp.cat', item => 'get_global_id(0)', near => 'get_local_id(0)', out => 'out',
  load => sub { "atomic_load_explicit(&a[$_[0]], memory_order_" . any(qw(relaxed acquire)) . ', memory_scope_' . any(qw(work_group device)) . ')' },
  store => sub { "atomic_store_explicit(&a[$_[0]], $_[1], memory_order_" . any(qw(relaxed release)) . ', memory_scope_' . any(qw(work_group device)) . ')' },
  point => sub { '{ ' . any('global int *p = &x[0]; p += id % 2', "global int *p = id == 0 ? &x[$_[0]] : &x[1]", 'local int *p = &l[near]') . '; ' . any('*p = 2', 'r = *p', 'set(p, r + 1)') . '; }' },
  add => sub { "atomic_fetch_add_explicit(&a[$_[0]], $_[1], memory_order_" . any(qw(relaxed acq_rel)) . ', memory_scope_device)' },
  barrier => sub { 'barrier(' . any('CLK_GLOBAL_MEM_FENCE', 'CLK_LOCAL_MEM_FENCE', 'CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE') . ')' },
  fence => sub { 'atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_' . any(qw(acquire release)) . ', memory_scope_device)' },
  head => "void set(int *at, int what) { at[0] = what; }\nkernel void KERNEL(global atomic_int *a, global int *x, global int *out) {\n  local int l[3];\n");
my %vulkan = (
  kind => 'comp', model => 'models/vulkan.cat', item => 'int(gl_GlobalInvocationID.x)', near => 'int(gl_LocalInvocationID.x)', out => 'o',
  load => sub { "atomicLoad(a[$_[0]], gl_ScopeDevice, gl_StorageSemanticsBuffer, " . any('gl_SemanticsAcquire', 'gl_SemanticsAcquire | gl_SemanticsMakeVisible') . ')' },
  store => sub { "atomicStore(a[$_[0]], $_[1], gl_ScopeDevice, gl_StorageSemanticsBuffer, " . any('gl_SemanticsRelease', 'gl_SemanticsRelease | gl_SemanticsMakeAvailable') . ')' },
  point => sub { any('set(r, id)', 'r = both(x[0], l[near])', "set(x[$_[0]], r)") . ';' },
  add => sub { "atomicAdd(a[$_[0]], $_[1], gl_ScopeDevice, 0, 0)" },
  barrier => sub { 'controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared, gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible)' },
  fence => sub { 'memoryBarrier(gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_Semantics' . any(qw(Acquire Release)) . ')' },
  head => <<'HEAD');
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) buffer A { int a[2]; };
layout(binding = 1) KIND buffer X { int x[2]; };
layout(binding = 2) buffer Out { int o[3]; };
shared int l[3];
void set(out int at, int what) { at = what; }
int both(int one, int other) { return one + other; }
void main() {
HEAD

# A statement of a work-item; what is read goes to r.
sub statement {
  my ($l, $depth) = @_;
  my $at = any('0', '1', 'id % 2');
  my $kind = draw($depth ? 14 : 18);
  return "x[$at] = " . any(1, 2, 'id', 'r') . ';' if $kind < 2;
  return "r = x[$at];" if $kind < 4;
  return $l->{store}->($at, any(1, 2)) . ';' if $kind < 6;
  return 'r = ' . $l->{load}->($at) . ';' if $kind < 8;
  return 'r = ' . $l->{add}->($at, 1) . ';' if $kind < 9;
  return (draw(2) ? 'l[near] = 1;' : 'r = l[near];') if $kind < 10;
  return $l->{fence}->() . ';' if $kind < 11;
  return (draw(2) ? 'x[r & 1] = 1;' : 'r = x[r & 1];') if $kind < 12;
  return (draw(2) ? 'l[r == 7 ? 0 : near] = 2;' : 'r = l[r == 7 ? 0 : near];') if $kind < 13;
  return $l->{point}->($at) if $kind < 14;
  return 'switch (' . any('r', 'id') . ') { case 0: ' . statement($l, 1) . ' break; case 1: ' . statement($l, 1) . ' break; default: r = 2; }'
    if $kind < 15;
  return 'for (int i = 0; i < 2 && r == 0; i++) ' . statement($l, 1) if $kind < 16;
  return 'if (' . any('id == 0', 'r == 0', 'r == 1') . ') { ' . statement($l, 1) . ' }' if $kind < 17;
  return 'for (int i = 0; i < 2; i++) { ' . statement($l, 1) . (draw(2) ? ' ' . $l->{barrier}->() . ';' : '') . ' }';
}

sub kernel {
  my ($l, $name) = @_;
  my ($config, $out) = (any(@configs), $l->{out});
  my $text = "// \@Config: $config\n// \@Input: %a = {0, 0}\n// \@Input: %x = {0, 0}\n// \@Input: %$out = {9, 9, 9}\n"
    . "// \@Output: " . any('forall', 'exists') . " (%${out}[0] == " . draw(3) . any(' or ', ' and ') . '%x[' . draw(2) . '] == ' . draw(3) . ")\n";
  my $head = $l->{head} =~ s/KERNEL/$name/r;
  my $kind = draw(3) ? 'nonprivate' : '';
  $head =~ s/KIND/$kind/g;
  $text .= "$head  int id = $l->{item}, near = $l->{near}, r = 0;\n  l[near] = 0;\n";
  $text .= '  ' . $l->{barrier}->() . ";\n" if draw(2);
  $text .= '  ' . statement($l, 0) . "\n" for 0 .. 1 + draw($config =~ /3/ ? 1 : 2);
  $text .= '  ' . $l->{barrier}->() . ";\n  r = x[id % 2];\n" if draw(3) == 0;
  return "$text  ${out}[id] = r;\n}\n";
}

my ($compared, $left_out, $failed) = (0, 0, 0);
sub fail {
  my ($file, $text) = @_;
  $failed++;
  open my $in, '<', $file or die "$file: $!";
  print "$file: $text\n", <$in>;
}

for my $round (1 .. $rounds) {
  my $l = draw(2) ? \%opencl : \%vulkan;
  my $name = "k$round";
  my $file = "$folder/$name.$l->{kind}";
  open my $out, '>', $file or die "$file: $!";
  print $out kernel($l, $name);
  close $out;
  my @rows = grep { !/^test\t/ } split /\n/, `$naive -model $l->{model} $file 2>$folder/err`;
  if (!@rows) { # more than it tries
    $left_out++;
    next;
  }
  my (undef, undef, undef, $positive, $negative, $bad, $states) = split /\t/, $rows[0], -1;
  my $log = `litscope check -q -fail-on nothing -speedcheck false -rounds all $file 2>&1`;
  my ($found) = $log =~ /^States \d+\n((?:[^\n]*;\n)*)/m;
  $_ = join '|', sort split /[\n|]/, s/ //gr for $found //= '?', $states;
  my ($pos, $neg) = $log =~ /^Positive: (\d+) Negative: (\d+)$/m;
  my ($wrong) = $log =~ /^Bad executions \((\d+) in total/m;
  if (!defined $wrong || $found ne $states || $pos != $positive || $neg != $negative || $wrong != $bad) {
    fail($file, "naive: $positive $negative $bad $states\nlitscope:\n$log");
    next;
  }
  # What is asked question by question.
  my $settled = `litscope check -q -fail-on nothing $file 2>&1`;
  my ($answer) = $settled =~ /^(Ok|No)$/m;
  my ($all) = $log =~ /^(Ok|No)$/m;
  my $flag = $settled =~ /^Flag /m ? 1 : 0;
  fail($file, "counted:\n$log\nsettled:\n$settled") if !defined $answer || $answer ne $all || $flag != ($bad > 0);
  $compared++;
}
my $ok = !$failed && $compared >= $rounds / 3;
print "$compared compared, $left_out left out, $failed failed\n" unless $ok && !$ENV{KERNELS_ROUNDS};
exit($ok ? 0 : 1);
PERL
