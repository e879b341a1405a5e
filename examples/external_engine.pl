#!/usr/bin/env perl
# An engine in Perl for Overtrick: opens with 12 points, plays the lowest card that follows suit.
# Try: overtrick match "external(command='perl examples/external_engine.pl')" points -n 8
use strict;
use warnings;
use JSON::PP;

$| = 1;    # answers must not wait in a buffer
my $json = JSON::PP->new->canonical;
my %points = (A => 4, K => 3, Q => 2, J => 1);
my %rank;
@rank{split //, '23456789TJQKA'} = 0 .. 12;

my ($seat, $hand, $dummy, $dummy_seat, @calls, @cards, %played);

sub say_line { print $json->encode($_[0]), "\n" }

# "AK3.QJ2.T98.7654" → { S => [A, K, 3], … }, without the cards that have been played
sub suits {
    my ($text) = @_;
    my %held;
    my @parts = split /\./, $text, -1;
    for my $suit (qw(S H D C)) {
        $held{$suit} = [grep { !$played{"$suit$_"} } split //, shift @parts];
    }
    return \%held;
}

sub call {
    my $held = suits($hand);
    my $hcp = 0;
    $hcp += $points{$_} // 0 for map { @$_ } values %$held;
    my $opened = grep { $_->{call} ne 'Pass' } @calls;
    return ('Pass', 'less than an opening, or somebody has bid') if $opened || $hcp < 12;
    my ($longest) = sort { @{$held->{$b}} <=> @{$held->{$a}} || $a cmp $b } qw(C D H S);
    return ("1$longest", "12 points or more, longest suit $longest");
}

sub card {
    my ($turn) = @_;
    my $held = suits(defined $dummy_seat && $turn eq $dummy_seat && $seat ne $turn ? $dummy : $hand);
    my $led = @cards % 4 ? substr($cards[@cards - @cards % 4]{card}, 0, 1) : '';
    my @suits = $led && @{$held->{$led}} ? ($led) : qw(C D H S);
    my @legal = map { my $s = $_; map { [$s, $_] } @{$held->{$s}} } @suits;
    my ($low) = sort { $rank{$a->[1]} <=> $rank{$b->[1]} || $a->[0] cmp $b->[0] } @legal;
    return ("$low->[0]$low->[1]", 'the lowest card');
}

while (my $text = <STDIN>) {
    my $line = $json->decode($text);
    my $type = $line->{type};
    if ($type eq 'hello') {
        say_line({type => 'hello', name => 'perl example', system => 'one of the longest suit'});
    } elsif ($type eq 'board') {
        ($seat, $hand) = @$line{qw(seat hand)};
        ($dummy, $dummy_seat, @calls, @cards, %played) = (undef, undef);
    } elsif ($type eq 'call') {
        push @calls, $line;
    } elsif ($type eq 'card') {
        push @cards, $line;
        $played{$line->{card}} = 1;
    } elsif ($type eq 'dummy') {
        ($dummy, $dummy_seat) = @$line{qw(hand seat)};
    } elsif ($type eq 'act') {
        my ($action, $why) = $line->{what} eq 'call' ? call() : card($line->{turn});
        say_line({type => 'decision', id => $line->{id}, action => $action,
                  meaning => {words => $why}});
    } elsif ($type eq 'quit') {
        last;
    }
}
