using System.Net;
using CoAP.Tool.LoadEngine;
using static CoAP.Tool.Tests.LoadEngine.Messages;

namespace CoAP.Tool.Tests.LoadEngine;

public sealed class DatagramAnswersTests : IDisposable
{
    private const int Peer = 3, OtherPeer = 4, Slot = 1, Id = 0x1234;
    private const long SentAt = 1_000, Now = 5_000;

    private static readonly LoopSettings Settings = new() { Server = new IPEndPoint(IPAddress.Loopback, 5683), Sockets = 5, Slots = 4, Patience = TimeSpan.FromSeconds(2) };

    private static readonly CoapMessage Request = new() { Code = RequestCode.Get, Token = RequestShape.AnyToken };

    // The slot's second use of four: generation 2, slot 1.
    private static readonly byte[] Token = [0, 0, 0, 0, 0, 0, 0, 0b1001];

    private readonly RequestTable _requests = new(new RequestShape(Request), Settings.Slots);
    private readonly Tallies _tallies = new(isOpenLoop: false);
    private readonly DatagramAnswers _cut;

    public DatagramAnswersTests()
    {
        _cut = new(Settings, _requests, _tallies);
        _tallies.Begin();
        _requests.Begin(Slot, Peer, Id - 1, 0, true);
        _requests.Begin(Slot, Peer, Id, 0, true);
        _requests[Slot].Since = _requests[Slot].SentAt = SentAt;
    }

    private Tally Tally => _tallies.Measured;

    public void Dispose() => _requests.Dispose();

    [Fact]
    public void A_piggybacked_answer_ends_its_request()
    {
        Take(Peer, Datagram(Acknowledgement, Content, Id, Token)).Should().Be((Reaction.None, Slot));

        Tally.Good.Should().Be(1);
        Tally.Latencies.Max.Should().Be(Now - SentAt);
    }

    [Theory]
    [InlineData(Acknowledgement, OtherPeer, Id, 0b1001)]
    [InlineData(Acknowledgement, Peer, Id + 1, 0b1001)]
    [InlineData(Acknowledgement, Peer, Id, 0b0101)]
    [InlineData(Acknowledgement, Peer, Id, 0b1010)]
    [InlineData(Acknowledgement, Peer, Id, 0b1011)]
    [InlineData(Reset, Peer, Id, 0b1001)]
    public void An_answer_of_another_socket_message_ID_or_token_is_a_stray(int type, int peer, int id, byte token)
    {
        Take(peer, Datagram(type, Content, id, 0, 0, 0, 0, 0, 0, 0, token)).Should().Be((Reaction.None, -1));

        (Tally.Strays, Tally.Good).Should().Be((1, 0));
    }

    [Fact]
    public void An_answer_with_a_token_of_another_length_is_a_stray()
    {
        Take(Peer, Datagram(Acknowledgement, Content, Id, 0, 0b1001)).Slot.Should().Be(-1);

        Tally.Strays.Should().Be(1);
    }

    [Fact]
    public void A_separate_answer_after_an_empty_acknowledgement_is_acknowledged()
    {
        Take(Peer, Datagram(Acknowledgement, 0, Id)).Should().Be((Reaction.None, -1));
        Tally.Strays.Should().Be(0);

        Take(Peer, Datagram(Confirmable, Content, 77, Token)).Should().Be((Reaction.Acknowledge, Slot));

        Tally.Good.Should().Be(1);
    }

    [Fact]
    [Trait("RFC", "7252 4.2")]
    public void An_empty_acknowledgement_ends_the_retransmissions_of_its_request()
    {
        var cut = new DatagramAnswers(Settings with { AckTimeout = TimeSpan.FromSeconds(2) }, _requests, _tallies);

        cut.Take(OtherPeer, Datagram(Acknowledgement, 0, Id), Now, out _);
        _requests[Slot].IsAcknowledged.Should().BeFalse();
        cut.Take(Peer, Datagram(Acknowledgement, 0, Id), Now, out var slot);

        (_requests[Slot].IsAcknowledged, _requests[Slot].IsBusy, slot).Should().Be((true, true, -1));
    }

    [Fact]
    public void A_separate_answer_that_comes_again_is_acknowledged_again_and_counts_once()
    {
        Take(Peer, Datagram(Confirmable, Content, 77, Token));
        _requests[Slot].IsBusy = false;

        Take(Peer, Datagram(Confirmable, Content, 77, Token)).Should().Be((Reaction.Acknowledge, -1));

        (Tally.Strays, Tally.Good).Should().Be((1, 1));
    }

    [Fact]
    public void An_answer_to_a_request_that_was_given_up_is_a_stray()
    {
        _requests.Begin(Slot, Peer, Id + 1, 0, true);
        _requests[Slot].SentAt = SentAt;

        Take(Peer, Datagram(NonConfirmable, Content, 77, Token)).Slot.Should().Be(-1);

        Tally.Strays.Should().Be(1);
    }

    [Fact]
    public void An_unexpected_code_ends_the_request_and_counts_as_itself()
    {
        Take(Peer, Datagram(Acknowledgement, NotFound, Id, Token)).Slot.Should().Be(Slot);

        (Tally.Codes[NotFound], Tally.Good, Tally.Latencies.Count).Should().Be((1, 0, 0));
    }

    [Fact]
    public void An_answer_with_other_bytes_than_expected_ends_the_request_and_is_wrong()
    {
        var cut = new DatagramAnswers(Settings with { Expected = [1, 2] }, _requests, _tallies);

        cut.Take(Peer, [.. Datagram(Acknowledgement, Content, Id, Token), 0xFF, 1, 3], Now, out var slot);

        (slot, Tally.Wrong, Tally.Good).Should().Be((Slot, 1, 0));
    }

    [Fact]
    public void A_Reset_ends_the_request_with_its_message_ID()
    {
        Take(Peer, Datagram(Reset, 0, Id)).Should().Be((Reaction.None, Slot));
        Take(Peer, Datagram(Reset, 0, Id + 1)).Should().Be((Reaction.None, -1));

        (Tally.Resets, Tally.Strays).Should().Be((1, 1));
    }

    [Fact]
    public void A_ping_gets_a_Reset()
    {
        Take(Peer, Datagram(Confirmable, 0, 9)).Should().Be((Reaction.Reset, -1));
    }

    [Theory]
    [InlineData("")]
    [InlineData("604500")]
    [InlineData("A0450000")]
    [InlineData("624500000B")]
    [InlineData("6F450000000102030405060708090A0B0C0D0E0F")]
    public void A_malformed_datagram_is_a_stray(string hex)
    {
        Take(Peer, Convert.FromHexString(hex)).Should().Be((Reaction.None, -1));

        Tally.Strays.Should().Be(1);
    }

    [Fact]
    public void Answers_outside_the_measured_time_do_not_count()
    {
        _tallies.IsMeasuring = false;

        Take(Peer, Datagram(Acknowledgement, Content, Id, Token)).Slot.Should().Be(Slot);

        Tally.Good.Should().Be(0);
    }

    [Fact]
    public void An_open_loop_counts_by_the_time_that_a_request_was_due()
    {
        var tallies = new Tallies(isOpenLoop: true);
        var cut = new DatagramAnswers(Settings, _requests, tallies);

        cut.Take(Peer, Datagram(Acknowledgement, Content, Id, Token), Now, out _);

        tallies.Measured.Good.Should().Be(1, "its answer came late, after the measured time");
    }

    private (Reaction Reaction, int Slot) Take(int peer, byte[] datagram) => (_cut.Take(peer, datagram, Now, out var slot), slot);
}
