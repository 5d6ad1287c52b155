# SPDX-License-Identifier: MIT
# `serve` sends the page, whole, to whoever asks this machine, and nothing else; who only
# connects, or asks for what it does not have, keeps nobody waiting.
set -eu
mkdir -p "$TMP/made/page"
perl -e 'print "<p>page</p>\n" x 400000' >"$TMP/made/page/index.html"
cat >"$TMP/client.pl" <<'PERL'
use strict;
use warnings;
use IO::Socket::INET;
my ($folder) = @ARGV;
my $page = do { local $/; open my $in, '<', "$folder/page/index.html" or die; <$in> };
my $server = open my $out, '-|', 'litscope', 'serve', '-I', $folder, '-port', 0;
my ($port) = <$out> =~ m{^http://127\.0\.0\.1:(\d+)/ until Ctrl\+C$} or die "no address\n";
sub to { return IO::Socket::INET->new(PeerAddr => '127.0.0.1', PeerPort => $port) || die "no connection: $!\n" }
sub answer { my ($socket, $request) = @_; print $socket $request; return join '', <$socket> }
my $wrong = 0;
sub check { my ($ok, $what) = @_; print "$what\n" and $wrong = 1 if !$ok }

my @idle = map { to() } 1 .. 40;    # more than it keeps
my $slow = to();
$slow->autoflush;
print $slow "GET / HTTP/1.1\r\nHost: x\r\n";
for my $target ('/', '/index.html', '/?a=b') {
  my ($head, $body) = split /\r\n\r\n/, answer(to(), "GET $target HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"), 2;
  check($head =~ m{^HTTP/1\.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: (\d+)\r\n} && $1 == length $page, "$target: $head");
  check($body eq $page, "$target: " . length($body) . ' bytes');
}
check(answer($slow, "\r\n") =~ m{^HTTP/1\.1 200 OK}, 'a request in two parts');
my $head = answer(to(), "HEAD / HTTP/1.0\r\n\r\n");
check($head =~ m{^HTTP/1\.1 200 OK\r\n.*\r\n\r\n\z}s, "HEAD: $head");
check(answer(to(), "$_->[0]\r\n\r\n") =~ m{^HTTP/1\.1 $_->[1] .*\r\nContent-Length: 0\r\n}, "$_->[0] is not $_->[1]")
  for ['GET /../page/index.html HTTP/1.1', 404], ['GET /other HTTP/1.1', 404], ['POST / HTTP/1.1', 405], ['nonsense', 405];
check(answer(to(), 'x' x 10000) eq '', 'a request without end');
my $elsewhere = IO::Socket::INET->new(PeerAddr => '127.0.0.2', PeerPort => $port);
check(!$elsewhere, 'another address is answered');
my $second = `litscope serve -I $folder -port $port 2>&1` =~ s/port $port/port 1/r;
check($second eq "litscope: error: port 1: Address already in use (-port 0 takes one that is free)\n" && $? >> 8 == 2, "twice: $second");
unlink "$folder/page/index.html";
check(answer(to(), "GET / HTTP/1.1\r\n\r\n") =~ m{^HTTP/1\.1 404 }, 'a page that is gone');
kill 'INT', $server;
close $out;
check(($? & 127) == 2, "ended with $?");
exit $wrong;
PERL
perl "$TMP/client.pl" "$TMP/made"

# Without a page: a copy beside which none was built.
cp "$(command -v litscope)" "$TMP/litscope"
status=0
said=$("$TMP/litscope" serve -I "$TMP/made" 2>&1) || status=$?
expected='litscope: error: the page is not installed (`make page` builds it, and then `make install` installs it too)'
[ "$status $said" = "2 $expected" ] || { echo "without a page: $status $said"; exit 1; }
