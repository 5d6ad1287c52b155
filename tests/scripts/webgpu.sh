# SPDX-License-Identifier: MIT
# slow
# Emitted WGSL in a real browser: every kernel compiles (by Chromium's compiler,
# Tint), the pages of some tests run on its software device (SwiftShader), and
# `compare` reads their logs.  Skipped where there is no Chromium, or none with
# WebGPU.
set -u
# Nine threads of one work-group, of which 32 instances side by side are too many.
{ echo 'OpenCL Crowd { x=0; }'
  seq -f 'P%.0f@wg 0,dev 0 (global atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device); }' 0 8
  echo 'exists (x=1)'; } >"$TMP/crowd.litmus"
litscope run -q -emit webgpu "$TMP/emitted" litmus/opencl litmus/c11 tests/golden/run/tests "$TMP/crowd.litmus" >/dev/null 2>"$TMP/err"
[ "$(find "$TMP/emitted" -name kernel.wgsl | wc -l)" -ge 10 ] || { echo "few kernels: $(ls "$TMP/emitted")"; exit 1; }
cat >"$TMP/script.pl" <<PERL
my (\$emitted, \$log) = ('$TMP/emitted', '$TMP/run.log');
PERL
cat >>"$TMP/script.pl" <<'PERL'
sub text_of { open my $file, '<', $_[0] or die "$_[0]: $!"; local $/; return <$file> }

# The page's own log, once it is there.
sub log_of {
  my ($name) = @_;
  open_page("file://$emitted/$name/index.html?n=512&runs=2&groups=2&spins=64&gather=64");
  my $state = evaluate("new Promise(done => { const state = document.getElementById('state'), look = () =>"
      . " state.textContent === 'running' ? setTimeout(look, 20) : done(state.textContent); look(); })");
  return ($state, evaluate("document.getElementById('log').textContent"));
}

my ($state, $text) = log_of('CoRR');
if ($state =~ /no WebGPU|no adapter/) { print "$state\n"; exit 77 }
open my $out, '>', $log or die $!;
for my $name (qw(CoRR CoWW_dev Barrier_both Barrier_local Inc2 Crowd)) {
  ($state, $text) = log_of($name);
  check($state eq 'done' && $text =~ /^Observation \Q$name\E /m, "$name: $state: $text");
  print $out $text;
}
close $out;

# What the compiler has to say of a text: nothing, of a right one.
evaluate("navigator.gpu.requestAdapter().then(a => a.requestDevice()).then(d => { window.compiles = text =>"
    . " d.createShaderModule({code: text}).getCompilationInfo().then(info =>"
    . " info.messages.map(m => m.lineNum + ': ' + m.message).join('\\n')); return true; })");
my $kernels = 0;
for my $file (glob "$emitted/*/kernel.wgsl") {
  my $said = evaluate('compiles(' . JSON::PP->new->allow_nonref->encode(text_of($file)) . ')');
  check($said eq '', "$file: $said");
  $kernels++;
}
check($kernels >= 10, "$kernels kernels");
check(evaluate('compiles("fn main() { let a: i32 = 1u; }")') =~ /i32/, 'a wrong text compiles');
1;
PERL
tests/browser "$TMP/profile" "$TMP/script.pl" --enable-unsafe-webgpu --use-webgpu-adapter=swiftshader || exit
litscope check -model rc11 litmus/c11/CoRR.litmus litmus/c11/Inc2.litmus "$TMP/crowd.litmus" >"$TMP/model.log" 2>/dev/null
litscope compare "$TMP/model.log" "$TMP/run.log" >"$TMP/compare"
grep -q 'on hardware: all that was seen is among the states of the other side' "$TMP/compare" ||
  { cat "$TMP/run.log" "$TMP/compare"; exit 1; }
