#!/bin/sh
# SPDX-License-Identifier: MIT
# The table of tests/compilers/held_out.tsv once more, by the second AMD machine (tests/naive/amd_machine.pl) and not by
# the explorer: on which targets a message through three threads is lost.  OpenCL forbids that for each of the programs:
# every link is a release that the next thread acquires, in a scope that has both, and what is passed is read behind it.
# $UPDATE: prints the table.  Skipped where there is no llc-22.
set -eu
command -v llc-22 > /dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
perl -- - "$TMP" "${UPDATE:-}" <<'EOF2'
use strict;
use warnings;
$| = 1;
my ($folder, $update) = @ARGV;
my %scope = (w => 'memory_scope_work_group', d => 'memory_scope_device', s => 'memory_scope_all_svm_devices');
my %order = map { substr($_, 0, 1) => "memory_order_$_" } qw(relaxed);
$order{$_->[0]} = "memory_order_$_->[1]" for ['c', 'seq_cst'], ['q', 'acquire'], ['l', 'release'];

# An operation of the notation as a statement; $number: how many values have been written.
sub statement {
  my ($op, $register, $number) = @_;
  return "barrier(CLK_GLOBAL_MEM_FENCE);" if $op eq 'B';
  return "atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, $order{$2}, $scope{$1});" if $op =~ /^F(\w)(\w)$/;
  my ($kind, $x, $in, $sort) = $op =~ /^([WRUX])(\w)([nwds])(\w?)$/ or die $op;
  my $value = $kind eq 'R' ? 0 : 1 << $$number++;
  return $kind eq 'W' ? "*$x = $value;" : "$register = *$x;" if $in eq 'n';
  my $order = $sort ? $order{$sort} : 'memory_order_' . {W => 'release', R => 'acquire', U => 'acq_rel', X => 'acq_rel'}->{$kind};
  return "atomic_store_explicit($x, $value, $order, $scope{$in});" if $kind eq 'W';
  return "$register = atomic_load_explicit($x, $order, $scope{$in});" if $kind eq 'R';
  return "$register = atomic_" . ($kind eq 'U' ? 'fetch_add' : 'exchange') . "_explicit($x, $value, $order, $scope{$in});";
}

sub test {
  my ($name, $groups, $program) = @_;
  my ($text, $number, $t, $last) = ("OpenCL $name\n{ [x]=0; [y]=0; [z]=0; }\n", 0, 0, '');
  for my $thread (split / \| /, $program) {
    my ($registers, $ends, $body) = (0, 0, '');
    for my $op (split / /, $thread) {
      if ($op eq '!') { $body .= '  if (r' . ($registers - 1) . " != 0) {\n"; $ends++; next }
      my $line = statement($op, "r$registers", \$number);
      $registers++ if $line =~ /^r\d/;
      $body .= "  $line\n";
    }
    $last = "$t:r" . ($registers - 1);
    my $declared = join '', map { "  int r$_ = -1;\n" } 0 .. $registers - 1;
    $text .= "P$t (global atomic_int* x, global atomic_int* y, global atomic_int* z) {\n$declared$body" . '  }' x $ends . "\n}\n";
    $t++;
  }
  my (@of, $tree);
  push @{$of[(split /,/, $groups)[$_]]}, "P$_" for 0 .. $t - 1;
  $tree = join ' ', map { "(work_group @$_)" } @of;
  return "${text}scopeTree (device $tree)\nexists ($last=0)\n";
}

open my $in, '<', 'tests/compilers/held_out.tsv' or die;
my (@targets, $n, $failed);
while (my $line = <$in>) {
  chomp $line;
  print "$line\n" if $update && $line =~ /^#/;
  next if $line =~ /^#/;
  my ($groups, $program, @wanted) = split /\t/, $line;
  if ($groups eq 'work_groups') { @targets = @wanted; print "$line\n" if $update; next }
  $n++;
  open my $out, '>', "$folder/H$n.litmus" or die;
  print $out test("H$n", $groups, $program);
  close $out;
  my @found;
  for my $target (@targets) {
    my ($gpu, $compiler) = split m{/}, $target;
    my $code = "$folder/code-" . $target =~ s/\W/-/gr;
    if (system("command -v llc-" . $compiler =~ s/llvm-//r . '> /dev/null')) { push @found, '?'; next }
    system("litscope compile -target $gpu -compiler $compiler -o $code $folder/H$n.litmus > $folder/log 2>&1") == 0 or die `cat $folder/H$n.litmus $folder/log`;
    my $states = `perl tests/naive/amd_machine.pl reduced $code/H$n.*`;
    die "H$n: $states" if $states !~ /^states \d+\nstuck 0\nhazards 0\n./;
    push @found, $states =~ /out\d+=0;/ && lost($states) ? 'Unsound' : 'Sound';
  }
  print join("\t", $groups, $program, @found), "\n" if $update;
  for my $i (0 .. $#targets) {
    next if $found[$i] eq '?' || $found[$i] eq ($wanted[$i] // '') || $update;
    $failed = 1;
    print "$groups $program $targets[$i]: $found[$i], recorded $wanted[$i]\n";
  }
}
print "$n programs, ", scalar @targets, " targets\n" if !$update;
exit($failed ? 1 : 0);

# Whether some outcome has 0 in the only result that is shown.
sub lost { return $_[0] =~ /^\d+:out\d+=0;$/m }
EOF2
