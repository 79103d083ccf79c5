#!/usr/bin/perl
# Verdict: accepted. What the upper eight centres can do is put into a hash, with the
# fewest centres that do it; what the lower eight can do is looked up there.
use strict;
use warnings;

my ($board, $pattern) = ('', '');
while (<STDIN>) {
    chomp;
    if   (/^[BW]{4}$/) { $board   .= $_ }
    elsif (/^[01]{3}$/) { $pattern .= $_ }
}
(my $bits = $board) =~ tr/WB/01/;
my $start = oct "0b$bits";

my @turns;
for my $centre (0 .. 15) {
    my $picture = '0' x 16;
    for my $k (grep { substr($pattern, $_, 1) } 0 .. 8) {
        my ($r, $c) = (int($centre / 4) + int($k / 3) - 1, $centre % 4 + $k % 3 - 1);
        substr($picture, 4 * $r + $c, 1) = '1' if $r >= 0 && $r < 4 && $c >= 0 && $c < 4;
    }
    push @turns, oct "0b$picture";
}

sub fewest {
    my %price = (0 => 0);
    for my $turn (@_) {
        my %more;
        while (my ($chips, $moves) = each %price) {
            my $with = $chips ^ $turn;
            $more{$with} = $moves + 1 if !exists $price{$with} || $price{$with} > $moves + 1;
        }
        @price{keys %more} = values %more;
    }
    return \%price;
}

my ($upper, $lower) = (fewest(@turns[0 .. 7]), fewest(@turns[8 .. 15]));
my $best;
for my $goal (0, 0xFFFF) {
    for my $chips (keys %$lower) {
        my $rest = $upper->{$chips ^ $start ^ $goal};
        next unless defined $rest;
        my $moves = $rest + $lower->{$chips};
        $best = $moves if !defined $best || $moves < $best;
    }
}
print defined $best ? $best : 'Impossible', "\n";
