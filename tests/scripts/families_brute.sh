#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# Families, classes and minimal tests a second time, by a generator that shares nothing with litscope's: every choice of
# operations, locations, guards and places is listed, and one is kept of those that renaming makes equal. For a family of
# C its programs are written as files, `check` judges each under both models, and a test is minimal if none of its parts,
# all of which are looked up, is of its class: `diff` must have found the same counts and the same tests.
exec perl -- - "$TMP" <<'EOF'
use strict;
use warnings;
my ($folder) = @ARGV;

# Every sequence of so many of a list.
sub tuples {
  my ($count, @from) = @_;
  my @all = ([]);
  @all = map { my $head = $_; map { [@$head, $_] } @from } @all for 1 .. $count;
  return @all;
}

sub permutations {
  my @of = @_;
  return ([]) unless @of;
  return map { my $i = $_; my @rest = @of; my ($first) = splice @rest, $i, 1; map { [$first, @$_] } permutations(@rest) } 0 .. $#of;
}

# A program is threads of operations `KIND LOCATION WORD GUARD` and places `WG DEVICE`; its name is the least text of all
# its renamings: threads in any order (the shorter first), locations, work-groups and devices by any names.
sub name_of {
  my ($threads, $places, $locations) = @_;
  my @least;
  for my $order (permutations(0 .. $#$threads)) {
    my (%wg, %dev);
    my @place = map { join ',', $wg{$places->[$_][0]} //= keys %wg, $dev{$places->[$_][1]} //= keys %dev } @$order;
    for my $names (permutations(0 .. $locations - 1)) {
      my @text = map { my $t = $threads->[$_]; join ' ', map { $_->[0] . ($_->[0] eq 'F' ? '' : $names->[$_->[1]]) . "$_->[2]$_->[3]" } @$t } @$order;
      my $text = join '|', (map { scalar @{$threads->[$_]} } @$order), @text, @place;
      push @least, $text;
    }
  }
  return (sort @least)[0];
}

sub connected {
  my ($threads) = @_;
  my @cells = map { my %c = map { $_->[0] eq 'F' ? () : ($_->[1] => 1) } @$_; \%c } @$threads;
  my ($joined, %seen) = ({0 => 1}, %{$cells[0]});
  for (1 .. @cells) {
    for my $t (0 .. $#cells) {
      next unless grep { $seen{$_} } keys %{$cells[$t]};
      $joined->{$t} = 1;
      $seen{$_} = 1 for keys %{$cells[$t]};
    }
  }
  return keys %$joined == @cells;
}

# Every place of every thread: a work-group is on one device.
sub places {
  my ($threads, $devices, $apart) = @_;
  return [map { [$_, 0] } 0 .. $threads - 1] if $apart;
  return grep {
    my (%on, $good);
    $good = 1;
    for my $p (@$_) { $good = 0 if defined $on{$p->[0]} && $on{$p->[0]} != $p->[1]; $on{$p->[0]} = $p->[1]; }
    $good
  } tuples($threads, map { my $w = $_; map { [$w, $_] } 0 .. $devices - 1 } 0 .. $threads - 1);
}

sub programs {
  my %f = (locations => 2, devices => 1, guarded => 0, apart => 0, @_);
  my @ops = map { my $op = $_; map { [substr($op, 0, 1), $_, substr($op, 1), ''] } $op =~ /^F/ ? 0 : 0 .. $f{locations} - 1 } @{$f{ops}};
  my @bodies = map { tuples($_, @ops) } 1 .. $f{most};
  push @bodies, map { my @b = map { [@$_] } @$_; $b[1][3] = '!'; \@b } grep { @$_ > 1 && $_->[0][0] =~ /[RU]/ } @bodies if $f{guarded};
  my @places = places($f{threads}, $f{devices}, $f{apart});
  my %all;
  for my $threads (tuples($f{threads}, @bodies)) {
    next unless connected($threads);
    $all{name_of($threads, $_, $f{locations})} //= $threads for @places;
  }
  return \%all;
}

sub run {
  my ($command) = @_;
  my $text = `$command`;
  return $text;
}

sub differ { print "$_[0]\n"; exit 1 }

# ---- counts ----

my @scoped = qw(Wn Rn Ww Rw Uw Wd Rd Ud WD RD UD);
my @orders = map { my $k = $_; map { "$k$_" } $k eq 'F' ? ('d', 'dc', 'w', 'wc') : ('d', 'dr', 'dc') } qw(W R U F);
my %families = (
  '2x1' => [threads => 2, most => 1, ops => \@scoped],
  '2x1,devices=2' => [threads => 2, most => 1, ops => [@scoped, qw(Ws Rs Us WS RS US)], devices => 2],
  '2x2,scopes=dev,orders=ra,guarded' => [threads => 2, most => 2, ops => [qw(Wd Rd Ud)], guarded => 1],
  '3x1,scopes=dev' => [threads => 3, most => 1, ops => [qw(Wn Rn Wd Rd Ud)]],
  '3x1,orders=rlx,language=c,locations=3' => [threads => 3, most => 1, ops => [qw(War Rar Uar)], apart => 1, locations => 3],
  '2x1,fences,orders=ra+rlx+sc,scopes=dev' => [threads => 2, most => 1, ops => [grep { !/^Fw/ } @orders]],
  '2x2,fences,orders=ra,language=c' => [threads => 2, most => 2, ops => [qw(Wa Ra Ua Fa)], apart => 1],
  '2x3,orders=rlx,language=c,locations=1' => [threads => 2, most => 3, ops => [qw(War Rar Uar)], apart => 1, locations => 1],
);
for my $family (sort keys %families) {
  my $counted = keys %{programs(@{$families{$family}})};
  my $model = $family =~ /language=c/ ? 'rc11' : 'opencl';
  my ($said) = run("litscope diff -q -model $model,$model-data_race -family $family") =~ /^Programs (\d+)$/m;
  differ("$family: $counted programs, and litscope says $said") unless $counted == ($said // -1);
}

# ---- classes and minimal tests ----

my ($family, @models) = ('2x2,orders=na+rlx,locations=1,language=c', 'rc11', 'rc11-coherence');
my $programs = programs(threads => 2, most => 2, ops => [qw(Wn Rn War Rar Uar)], locations => 1, apart => 1);

sub write_test {
  my ($file, $name, $threads) = @_;
  my ($stored, $added, @observed) = (0, 8, 'x');
  open my $out, '>', $file or die $!;
  print $out "C $name\n{ [x]=0; }\n";
  for my $t (0 .. $#$threads) {
    my $reg = 0;
    print $out "P$t (atomic_int* x) {\n";
    for my $op (@{$threads->[$t]}) {
      my ($kind, undef, $word) = @$op;
      my $order = 'memory_order_relaxed';
      push @observed, "$t:r$reg" if $kind ne 'W';
      my $to = $kind ne 'W' ? '  int r' . $reg++ . ' = ' : '  ';
      $stored++ if $kind eq 'W';
      print $out $word eq 'n' ? ($kind eq 'W' ? "  *x = $stored;\n" : "$to*x;\n")
        : $kind eq 'W' ? "  atomic_store_explicit(x, $stored, $order);\n"
        : $kind eq 'R' ? "${to}atomic_load_explicit(x, $order);\n"
        : "${to}atomic_fetch_add_explicit(x, $added, $order);\n";
      $added *= 2 if $kind eq 'U';
    }
    print $out "}\n";
  }
  print $out 'locations [', (map { "$_;" } @observed), "]\nexists (true)\n";
  close $out;
}

mkdir "$folder/tests";
my (%number, %threads);
for my $name (sort keys %$programs) {
  my $id = sprintf 'T%04d', scalar keys %number;
  $number{$name} = $id;
  $threads{$id} = $programs->{$name};
  write_test("$folder/tests/$id.litmus", $id, $threads{$id});
}
my %said;
for my $model (@models) {
  my $id;
  for (split /\n/, run("litscope check -q -model $model $folder/tests")) {
    $id = $1 if /^Test (\S+)/;
    $said{$model}{$id} = /^Flag data_race/ ? 'undefined' : ($said{$model}{$id} // '') . $_ if /=.*;$/ || /^Flag data_race/;
  }
}
my %class;
for my $id (keys %threads) {
  my ($a, $b) = map { $said{$_}{$id} // differ("$id was not judged") } @models;
  $class{$id} = $a eq 'undefined' && $b eq 'undefined' ? 'both-undefined' : $a eq 'undefined' ? 'only-A' : $b eq 'undefined' ? 'only-B'
    : $a eq $b ? 'same' : 'B-more'; # A has an axiom more
}

# A part: some operations left out, and a program of the family.
sub is_minimal {
  my ($id) = @_;
  my @places = ([0, 0], [1, 0]);
  my @ops = map { my $t = $_; map { [$t, $_] } 0 .. $#{$threads{$id}[$t]} } 0, 1;
  for my $left (1 .. (1 << @ops) - 1) {
    my @rest = ([], []);
    for my $i (0 .. $#ops) { push @{$rest[$ops[$i][0]]}, $threads{$id}[$ops[$i][0]][$ops[$i][1]] unless $left >> $i & 1 }
    next if !@{$rest[0]} || !@{$rest[1]};
    return 0 if $class{$number{name_of(\@rest, \@places, 1)}} eq $class{$id};
  }
  return 1;
}

my %minimal = map { my $id = $_; my ($name) = grep { $number{$_} eq $id } keys %number; $name => 1 }
  grep { $class{$_} =~ /more|only/ && is_minimal($_) } keys %threads;
my $text = run("litscope diff -q -model $models[0],$models[1] -family $family");
my %count;
$count{$_}++ for values %class;
my ($all) = $text =~ /^all (.*)$/m;
my $wanted = join ' ', map { $count{$_} // 0 } 'same', 'both-undefined', 'only-A', 'only-B', 'A-more', 'B-more', 'neither';
differ("classes: $wanted, and diff says $all") unless join(' ', split ' ', $all) eq $wanted;
my %found;
my $json = run("litscope diff -q -model $models[0],$models[1] -family $family -json -");
while ($json =~ /"program": "(.*?) \(wg/g) {
  my @t = map { [map { /^([WRU])x(n|ar)\d*$/ ? [$1, 0, $2, ''] : differ("not understood: $_") } split / /] } split /\|/, $1;
  $found{name_of(\@t, [[0, 0], [1, 0]], 1)} = 1;
}
for (keys %minimal) { differ("minimal, and not found: $_") unless $found{$_} }
for (keys %found) { differ("found, and not minimal: $_") unless $minimal{$_} }
differ('nothing is minimal') unless keys %minimal;
exit 0;
EOF
