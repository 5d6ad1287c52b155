#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# The forms of instructions in libcu++'s headers: those to which it maps C++'s atomics, cuda_ptx_generated.h of
# NVIDIA/cccl, and those that it offers as functions, cuda/__ptx/instructions/generated/*.h.  Each memory instruction,
# with the operands of the header, is read in a test of one thread; those that are not read are listed with the reason.
# usage: tests/suites/libcuxx.pl HEADER...            (LITSCOPE: the program, else ./litscope)
use strict;
use warnings;
use File::Temp qw(tempdir);

die "usage: tests/suites/libcuxx.pl HEADER...\n" unless @ARGV;
my $litscope = $ENV{LITSCOPE} // './litscope';
my $folder = tempdir(CLEANUP => 1);
my $memory = qr/^(?:ld|st|atom|red|fence|membar|multimem|cp|mbarrier|barrier|griddepcontrol|tensormap|clusterlaunchcontrol)\b/;

# The instructions in a header's assembly.
sub forms_in {
  my ($text, %found) = @_;
  while ($text =~ /asm(?: volatile)?\s*\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+)/g) {
    my $code = join '', $1 =~ /"((?:[^"\\]|\\.)*)"/g;
    $code =~ s/\\[nt]/\n/g;
    for (split /[\n;]/, $code) {
      s{//.*}{};
      s/^[\s{]+|\s+$//g;
      s/\s+/ /g;
      $found{$_} = 1 if /$memory/;
    }
  }
  return keys %found;
}

# The names of the locations that an instruction accesses, in the order of its operands.
sub places_of {
  my ($name) = @_;
  return ('m') if $name =~ /^multimem\.(?!cp)/;
  return ('b') if $name =~ /^(?:mbarrier|cp\.async\.mbarrier)/;
  return ('v', 'b') if $name =~ /^(?:st|red)\.async/;
  return ('s') if $name =~ /^st\.bulk|^tensormap.replace.*shared/;
  return ('t', 's') if $name =~ /tensormap/;
  return ('v') x 2 if $name !~ /^c[pl]/;
  return $name =~ /multicast/ ? ('c', 'd') : ('s', 'b') if $name =~ /^clusterlaunch/;
  return ('c', 'g', 'd') if $name =~ /multicast/;
  my %of = (global => 'g', 'shared::cta' => 's', 'shared::cluster' => 's', shared => 's', mbarrier => 'b');
  return map { $of{$_} } $name =~ /\.(global|shared::cta|shared::cluster|shared|mbarrier)(?=\.|:|$)/g;
}

# `[g, {0, 0}]`: with coordinates, of a tensor.
sub place_at {
  my ($place, $coordinates) = @_;
  $coordinates =~ s/%\d+/0/g;
  return "[$place$coordinates]";
}

sub operands_of {
  my ($name, $operands) = @_;
  my @places = places_of($name);
  my $number = $name =~ /wait_group/ ? 1 : $name =~ /tensormap/ ? 128 : 16;
  my $result = $name =~ /^(?:ld|atom|multimem\.ld|mbarrier\.(?:arrive|test|try|pending)|clusterlaunchcontrol\.query)/;
  $operands =~ s/B128_\w+|P_OUT/%9/g;
  $operands =~ s/\[%?\w+(, \{[^}]*\})?\]/ place_at(shift(@places) \/\/ 'v', $1 \/\/ '') /ge;
  $operands =~ s/^(\{[^}]*\}|%\d+)/ $1 =~ s(%)(r)gr /e if $result;
  $operands =~ s/%\d+$/3/ if $name =~ /multicast/;
  $operands =~ s/%\d+, %\d+, (?=\[b)/0, 0, / if $name =~ /ignore_oob/;
  $operands =~ s/%\d+$/0xffff/ if $name =~ /cp_mask/;
  $operands =~ s/%\d+$/0/ if $name =~ /^st\.bulk/;
  return $operands =~ s/%\d+/$number/gr;
}

# Locations for it: arrays where it has vectors, or several values in a register.
sub test_of {
  my ($form) = @_;
  my ($name, $operands) = split / /, $form, 2;
  my $vector = $name =~ /\.v(\d)/ ? $1 : 0;
  my ($type, $packed) = $name =~ /\.(b?[busfe]\d(?:m\d|\d*))(?:x(\d))?$/;
  my $count = ($vector || 1) * ($packed || 1);
  my $shape = $count > 1 ? "[$count]" : '';
  my $of = $shape ? "$type " : '';
  my $shared = $name =~ /async.*shared/ ? ' @ shared' : '';
  my $zero = $shape ? '' : '=0';
  $of =~ s/^e\dm\d/b8/;
  my $space = $shape ? $shared : $shared ? "$shared = 0" : $zero;
  my $init = "g=0; u32 q[2]; t \@ tensormap of q; s \@ shared = 0; u \@ shared = 0; b \@ mbarrier = 2; e \@ mbarrier = 2; c \@ cluster aliases s, u; "
    . "d \@ cluster aliases b, e; ${of}v$shape$space; ${of}x$shape$zero; ${of}y$shape$zero; m \@ multimem aliases x, y;";
  my $before = $name =~ /cluster\.wait/ ? " barrier.cluster.arrive ;\n" : '';
  return "PTX form\n{ $init }\n P0\@cta 0,cluster 0,gpu 0 ;\n$before $name " . operands_of($name, $operands // '') . " ;\nexists (g=0)\n";
}

my (%forms, %refused);
for my $file (@ARGV) {
  open my $in, '<', $file or die "$file: $!\n";
  $forms{$_} = 1 for forms_in(do { local $/; <$in> });
}
for my $form (sort keys %forms) {
  open my $out, '>', "$folder/form.litmus" or die;
  print $out test_of($form);
  close $out;
  my $log = `'$litscope' check -q '$folder/form.litmus' 2>&1`;
  next unless $log =~ /error: (.*)/;
  push @{$refused{$1}}, $form;
}
for my $why (sort keys %refused) {
  print scalar(@{$refused{$why}}), " not read: $why\n";
  print "  $_\n" for @{$refused{$why}};
}
my %not = map { $_ => 1 } map { @$_ } values %refused;
my $less_type = sub { my %names; $names{ $_ =~ s/ .*//r =~ s/\.[busf](?:8|16|32|64|128)$//r }++ for @_; return scalar keys %names; };
my @read = grep { !$not{$_} } keys %forms;
printf "%d of %d forms are read; without their types and operands, %d of %d\n", scalar @read, scalar keys %forms,
  $less_type->(@read), $less_type->(keys %forms);
exit(%not ? 1 : 0);
