using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

/// <summary>Verified peers and all others have a book each.</summary>
public sealed class DeduplicationBooksTests
{
    private const int Capacity = 64;
    private const int Cells = 128;

    private readonly Deduplication _cut = new(
        new() { Capacity = Capacity, AnswerBufferSize = Cells * 32, MaxAnswerSize = 1152 }, TransmissionParameters.Default, key: 7);

    [Theory]
    [InlineData(20)]
    [InlineData(300)]
    public void Forged_messages_push_out_no_answer_of_a_verified_peer(int answerLength)
    {
        Handle(peer: 1, id: 5, isVerified: true, answerLength);

        for (var forged = 2; forged < 10_000; forged++) { Handle((ulong)forged, id: 5, isVerified: false, answerLength); }

        Receive(1, 5, isVerified: true, out _).Should().Be(DuplicateCheck.Answered);
    }

    [Fact]
    public void Forged_messages_push_out_no_answer_even_if_verified_peers_have_filled_their_book()
    {
        for (var id = 0; id < 48; id++) { Handle((ulong)id + 1, id, isVerified: true); }

        for (var forged = 100; forged < 10_000; forged++) { Handle((ulong)forged, id: 5, isVerified: false); }

        AreAnswered(Enumerable.Range(0, 48).Select(static id => ((ulong)id + 1, id)), isVerified: true);
    }

    [Fact]
    public void A_verified_peer_that_goes_on_sending_in_a_flood_keeps_its_answers()
    {
        for (var id = 0; id < 40; id++)
        {
            Handle(1, id, isVerified: true);
            for (var forged = 0; forged < 200; forged++) { Handle((ulong)((id * 200) + forged + 2), id: 5, isVerified: false); }
        }

        AreAnswered(Enumerable.Range(0, 40).Select(static id => (1UL, id)), isVerified: true);
    }

    [Fact]
    public void The_answer_to_the_message_that_verifies_the_address_is_kept()
    {
        Receive(1, 5, isVerified: false, out var ticket).Should().Be(DuplicateCheck.New);
        _cut.Retain(ticket, RetentionClass.Unsafe, new byte[20], now: 0, isVerified: true).Should().BeTrue();

        for (var forged = 2; forged < 10_000; forged++) { Handle((ulong)forged, id: 5, isVerified: false); }

        Receive(1, 5, isVerified: true, out _).Should().Be(DuplicateCheck.Answered);
        _cut.Peers.Should().Be(Capacity);
    }

    [Fact]
    public void An_answer_is_found_after_the_address_is_no_longer_verified()
    {
        Handle(1, 5, isVerified: true);

        Receive(1, 5, isVerified: false, out _).Should().Be(DuplicateCheck.Answered);
    }

    [Fact]
    public void Verified_peers_leave_a_quarter_to_the_others()
    {
        for (var id = 0; id < 1000; id++) { Handle((ulong)id + 1, id, isVerified: true); }
        for (var forged = 2000; forged < 2016; forged++) { Handle((ulong)forged, id: 5, isVerified: false); }

        AreAnswered(Enumerable.Range(2000, 16).Select(static forged => ((ulong)forged, 5)), isVerified: false);
        AreAnswered(Enumerable.Range(952, 48).Select(static id => ((ulong)id + 1, id)), isVerified: true);
    }

    [Fact]
    public void Unverified_peers_fill_what_verified_ones_leave_and_give_it_back()
    {
        for (var peer = 1; peer <= Capacity; peer++) { Handle((ulong)peer, id: 5, isVerified: false); }
        _cut.Dropped.Should().Be(0);

        for (var id = 0; id < 48; id++) { Handle((ulong)id + 1000, id, isVerified: true); }

        _cut.Dropped.Should().Be(48);
        AreAnswered(Enumerable.Range(0, 48).Select(static id => ((ulong)id + 1000, id)), isVerified: true);
    }

    private void Handle(ulong peer, int id, bool isVerified, int answerLength = 20)
    {
        Receive(peer, id, isVerified, out var ticket).Should().Be(DuplicateCheck.New);
        _cut.Retain(ticket, RetentionClass.Unsafe, new byte[answerLength], now: 0, isVerified);
    }

    private void AreAnswered(IEnumerable<(ulong Peer, int Id)> messages, bool isVerified) =>
        messages.Select(one => Receive(one.Peer, one.Id, isVerified, out _)).Should().AllBeEquivalentTo(DuplicateCheck.Answered);

    private DuplicateCheck Receive(ulong peer, int id, bool isVerified, out Ticket ticket) =>
        _cut.Check(
            Sender(peer), new((ushort)id), true, [0x40, 0x02, (byte)(id >> 8), (byte)id], now: 0, out ticket, isVerified);

    private static SenderHash Sender(ulong peer) => new(peer * 0x9E37_79B9_7F4A_7C15, peer * 0x9E37_79B9_7F4A_7C15);
}
