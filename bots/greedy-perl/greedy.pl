# SPDX-License-Identifier: MIT
# Takes the largest run it can join now, whatever that costs; drafts the most tiles.
# Needs libdata-messagepack-perl.
use strict;
use warnings;
use Data::MessagePack;

my $packer = Data::MessagePack->new->utf8;    # else it packs strings as binary, keys too
my $seat;

# The size of the first value in the text from offset on, or undef if it is cut short.
# Data::MessagePack reads no streams, so messages are measured before they are unpacked.
sub measure {
    my ($text, $offset) = @_;
    my $start = $offset;
    for (my $due = 1; $due > 0; $due--) {
        return undef if $offset >= length $text;
        my $first = ord substr $text, $offset++, 1;
        my ($count_bytes, $body, $values) = (0, 0, 0);
        if    ($first <= 0x7f || $first >= 0xe0) { }
        elsif ($first <= 0x8f) { $values = 2 * ($first & 0x0f) }
        elsif ($first <= 0x9f) { $values = $first & 0x0f }
        elsif ($first <= 0xbf) { $body = $first & 0x1f }
        elsif ($first <= 0xc3) { }
        elsif ($first <= 0xc9) { $count_bytes = (1, 2, 4)[($first - 0xc4) % 3]; $body = $first > 0xc6 }
        elsif ($first <= 0xcb) { $body = 4 << ($first - 0xca) }
        elsif ($first <= 0xd3) { $body = 1 << ($first & 0x03) }
        elsif ($first <= 0xd8) { $body = 1 + (1 << ($first - 0xd4)) }
        elsif ($first <= 0xdb) { $count_bytes = 1 << ($first - 0xd9) }
        else                   { $count_bytes = $first & 1 ? 4 : 2 }
        if ($count_bytes) {
            return undef if $offset + $count_bytes > length $text;
            my $count = 0;
            $count = $count << 8 | ord substr $text, $offset++, 1 for 1 .. $count_bytes;
            if    ($first >= 0xde) { $values = 2 * $count }
            elsif ($first >= 0xdc) { $values = $count }
            else                   { $body += $count }
        }
        $offset += $body;
        $due += $values;
    }
    return $offset <= length $text ? $offset - $start : undef;
}

# The filled spaces around the ring that a tile on this position joins, itself counted.
sub run_length {
    my ($star, $position) = @_;
    my $length = 1;
    for my $step (1, -1) {
        for (my $at = ($position + $step) % 6; $star->[$at] != -1 && $length < 6; $at = ($at + $step) % 6) {
            $length++;
        }
    }
    return $length;
}

sub sum {
    my $sum = 0;
    $sum += $_ for @_;
    return $sum;
}

sub weigh {
    my ($state, $action) = @_;
    my ($kind, @numbers) = @$action;
    if ($kind eq 'draft') {
        my ($source, $color) = @numbers;
        my $tiles = $source == -1 ? $state->{center} : $state->{displays}[$source];
        return $tiles->[$color];
    }
    return run_length($state->{players}[$seat]{stars}[$numbers[0]], $numbers[1]) if $kind eq 'place';
    return sum(@{$numbers[0]}) - 100 if $kind eq 'pass';
    return 0;
}

sub send_message {
    my ($message) = @_;
    my $bytes = $packer->pack($message);
    while (length $bytes) {
        my $written = syswrite STDOUT, $bytes;
        exit 0 unless defined $written;
        substr $bytes, 0, $written, '';
    }
}

sub answer {
    my ($message) = @_;
    if ($message->{type} eq 'hello') {
        $seat = $message->{seat};
        send_message({type => 'ready', name => 'greedy-perl', version => '1'});
    }
    elsif ($message->{type} eq 'turn') {
        my ($best, $best_weight) = (0, undef);
        my $actions = $message->{actions};
        for my $index (0 .. $#$actions) {
            my $weight = weigh($message->{state}, $actions->[$index]);
            ($best, $best_weight) = ($index, $weight) if !defined $best_weight || $weight > $best_weight;
        }
        send_message({type => 'act', turn => $message->{turn}, action => $best});
    }
}

binmode STDIN;
binmode STDOUT;
my $input = '';
while (sysread STDIN, $input, 65536, length $input) {
    while (defined(my $size = measure($input, 0))) {
        answer($packer->unpack(substr $input, 0, $size, ''));
    }
}
