#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# Does each program of UCSC's suite (Sorensen and others, OOPSLA 2021) end, under five schedulers in their weak and their
# strong form?  The programs, N_simple.txt, and what its authors' model checker found, label_N.txt, are in
# artifact/web_test_explorer of tyler-utah/AlloyForwardProgress.
# usage: tests/suites/ucsc.pl FOLDER                  (LITSCOPE: the program, else ./litscope)
use strict;
use warnings;
use File::Temp qw(tempdir);

my $folder = shift // die "usage: tests/suites/ucsc.pl FOLDER\n";
my $litscope = $ENV{LITSCOPE} // './litscope';
my $schedulers = join ',', map { ($_, "strong:$_") } qw(fair hsa obe hsa+obe lobe);
my $made = tempdir(CLEANUP => 1);

sub contents {
  my ($name) = @_;
  open my $file, '<', $name or die "$name: $!\n";
  local $/;
  return scalar <$file>;
}

# The rows of one thread: for each of its lines a label, and what the line does.
sub rows {
  my ($thread, @rows) = @_;
  my $order = 'atom.wg.sc0';
  while ($thread =~ /^(\d+): (.*)/mg) {
    push @rows, "L$1:";
    local $_ = $2;
    if (/^Mem\[(\d+)\] = (\d+);$/) { push @rows, "st.$order Mem$1, $2" }
    elsif (/^if \(Mem\[(\d+)\] == (\d+)\) goto (\w+);$/) { push @rows, "ld.$order r0, Mem$1", "beq r0, $2, L$3" }
    elsif (/^if \(Exch\(Mem\[(\d+)\],(\d+)\) == (\d+)\) goto (\w+);$/) {
      push @rows, "rmw.$order r0, Mem$1, $2", "beq r0, $3, L$4";
    }
    else { die "what is '$_'?\n" }
  }
  return @rows, 'LEND:';
}

sub program {
  my ($name, $text) = @_;
  my (undef, @threads) = map { [rows($_)] } split /^THREAD \d+$/m, $text;
  my %places = map { $_ => 1 } $text =~ /Mem\[\d+\]/g;
  my $program = "VULKAN $name\n{ " . join(' ', map { tr/[]//dr . '=0;' } sort keys %places) . " }\n";
  $program .= join(' | ', map { "P$_\@sg $_,wg $_,qf 0" } 0 .. $#threads) . " ;\n";
  while (grep { @$_ } @threads) {
    $program .= join(' | ', map { shift @$_ // '' } @threads) . " ;\n";
  }
  return "${program}exists (true)\n";
}

my (%published, @programs);
for my $labels (sort glob "$folder/*_threads_*_instructions/*/label_*.txt") {
  my ($kind, $number) = $labels =~ m{([^/]+)/(\d+)/[^/]*$} or next;
  my $name = "${kind}_$number";
  for (contents($labels) =~ /^(\S+ - Termination: (?:PASS|FAIL))$/mg) {
    my ($scheduler, $answer) = /(\S+) - .* (\S+)/;
    my $strong = $scheduler =~ s/_?STRONG_?// ? 'strong:' : '';
    $scheduler =~ s/^WEAK_//;
    $published{$name}{$strong . lc $scheduler =~ tr/_/+/r} = $answer eq 'PASS' ? 'Ends' : 'Endless';
  }
  push @programs, "$made/$name.litmus";
  open my $file, '>', $programs[-1] or die "$programs[-1]: $!\n";
  print $file program($name, contents($labels =~ s/label_(\d+)\.txt$/$1_simple.txt/r));
  close $file or die "$programs[-1]: $!\n";
}
@programs or die "$folder: no label_N.txt\n";

my ($all, $agree) = (0, 0);
open my $log, '-|', $litscope, 'progress', '-q', '-scheduler', $schedulers, @programs or die "$litscope: $!\n";
while (<$log>) {
  /^Progress (\S+) (\S+) (\S+)/ or next;
  my $expected = delete $published{$1}{$2} // 'no answer';
  $all++;
  $agree += $3 eq $expected;
  print "$1 under $2: expected $expected, not $3\n" if $3 ne $expected;
}
close $log; # its status is of the programs, many of which are endless
for my $name (sort keys %published) {
  print "$name under $_: no answer\n" for sort keys %{$published{$name}};
  $all += keys %{$published{$name}};
}
printf "%d of %d answers agree, of %d programs\n", $agree, $all, scalar @programs;
exit($agree != $all);
