using CoAP.Reliability;
using CoAP.TestSupport;

namespace CoAP.Tests.Reliability;

public class DeduplicationLimitsTests
{
    private const long Second = TimeSpan.TicksPerSecond;

    private static Deduplication Create(int capacity = 64, int answerBytes = 4096) =>
        new(new() { Capacity = capacity, AnswerBufferSize = answerBytes, MaxAnswerSize = 1152 }, TransmissionParameters.Default, key: 99);

    private static byte[] BytesOf(int id) => [0x40, 0x01, (byte)(id >> 8), (byte)id];

    private readonly Dictionary<(ulong Peer, int Id), Ticket> _tickets = [];

    private DuplicateCheck Receive(Deduplication cut, ulong peer, int id, long now, out Ticket ticket) =>
        cut.Check(SenderOf(peer), new((ushort)id), true, BytesOf(id), now, out ticket);

    private static SenderHash SenderOf(ulong peer) => new(peer * 0x9E37_79B9_7F4A_7C15, peer * 0x9E37_79B9_7F4A_7C15);

    private bool Handle(Deduplication cut, ulong peer, int id, RetentionClass retention, int answerLength = 20, long now = 0)
    {
        Receive(cut, peer, id, now, out var ticket).Should().Be(DuplicateCheck.New);
        _tickets[(peer, id)] = ticket;
        return cut.Retain(ticket, retention, new byte[answerLength], now);
    }

    private int[] Known(Deduplication cut, ulong peer) =>
        [.. _tickets.Where(pair => pair.Key.Peer == peer && cut.AnswerLength(pair.Value) > 0).Select(pair => pair.Key.Id).Order()];

    [Fact]
    [Trait("RFC", "7252 4.5")]
    public void Safe_goes_before_idempotent_before_unsafe_and_the_oldest_first()
    {
        var cut = Create(capacity: 16);
        for (var id = 0; id < 4; id++) { Handle(cut, 1, id, RetentionClass.Unsafe); }
        for (var id = 4; id < 8; id++) { Handle(cut, 2, id, RetentionClass.Idempotent); }
        for (var id = 8; id < 12; id++) { Handle(cut, 3, id, RetentionClass.Safe); }
        for (var id = 12; id < 16; id++) { Receive(cut, 4, id, 0, out _); }

        Receive(cut, 5, 100, 0, out _).Should().Be(DuplicateCheck.New);
        Known(cut, 3).Should().Equal(9, 10, 11);
        for (var id = 101; id < 106; id++) { Receive(cut, 5, id, 0, out _); }

        Known(cut, 2).Should().Equal(6, 7);
        Known(cut, 1).Should().Equal(0, 1, 2, 3);
        cut.Dropped.Should().Be(6);
        cut.Count.Should().Be(16);
    }

    [Fact]
    public void Messages_in_progress_are_never_dropped()
    {
        var cut = Create(capacity: 16);
        for (var id = 0; id < 16; id++) { Receive(cut, (ulong)id % 4, id, 0, out _); }

        Receive(cut, 9, 99, 1, out var none).Should().Be(DuplicateCheck.Full);

        none.Should().Be(default(Ticket));
        Receive(cut, 3, 15, 2, out _).Should().Be(DuplicateCheck.InProgress);
        Receive(cut, 9, 99, 247 * Second, out _).Should().Be(DuplicateCheck.New);
    }

    [Fact]
    public void Expired_entries_are_removed_first()
    {
        var cut = Create(capacity: 16);
        for (var id = 0; id < 8; id++) { Handle(cut, 1, id, RetentionClass.Unsafe); }
        for (var id = 8; id < 16; id++) { Handle(cut, 2, id, RetentionClass.Safe, now: 100 * Second); }

        Handle(cut, 3, 20, RetentionClass.Safe, now: 250 * Second);

        cut.Dropped.Should().Be(0);
        Known(cut, 2).Should().HaveCount(8);
    }

    [Fact]
    public void A_peer_with_its_fair_share_pushes_out_only_its_own()
    {
        var cut = Create(capacity: 64);
        for (var id = 0; id < 32; id++) { Handle(cut, 1, id, RetentionClass.Safe); }

        for (var id = 1000; id < 3000; id++) { Handle(cut, 2, id, RetentionClass.Unsafe); }

        Known(cut, 1).Should().HaveCount(32);
        Known(cut, 2).Should().Equal(Enumerable.Range(2968, 32));
        cut.Dropped.Should().Be(2000 - 32);
    }

    [Fact]
    public void A_peer_that_filled_an_empty_table_gives_way_to_the_others()
    {
        var cut = Create(capacity: 1024, answerBytes: 1 << 20);
        for (var id = 0; id < 1024; id++) { Handle(cut, 1, id, RetentionClass.Unsafe); }

        for (var id = 0; id < 200; id++)
        {
            for (var peer = 2UL; peer < 5; peer++) { Handle(cut, peer, id, RetentionClass.Safe); }
        }

        for (var peer = 2UL; peer < 5; peer++) { Known(cut, peer).Length.Should().BeGreaterThan(128, "that is half of a share"); }
    }

    [Fact]
    public void A_peer_full_of_open_exchanges_is_refused_while_others_are_served()
    {
        var cut = Create(capacity: 64);
        for (var id = 0; id < 32; id++) { Handle(cut, 1, id, RetentionClass.Safe); }
        for (var id = 0; id < 32; id++) { Receive(cut, 2, id, 0, out _); }

        Receive(cut, 2, 32, 0, out _).Should().Be(DuplicateCheck.Full);
        Receive(cut, 3, 1, 0, out _).Should().Be(DuplicateCheck.New);
    }

    [Fact]
    public void Without_bytes_safe_answers_are_forgotten_and_unsafe_ones_push_them_out()
    {
        var cut = Create(capacity: 64, answerBytes: 32 * 32);       // 32 cells, two for each answer of 40 bytes
        for (var id = 0; id < 8; id++) { Handle(cut, (ulong)id, id, RetentionClass.Unsafe, answerLength: 40).Should().BeTrue(); }
        for (var id = 8; id < 16; id++) { Handle(cut, (ulong)id, id, RetentionClass.Safe, answerLength: 40).Should().BeTrue(); }

        Handle(cut, 20, 20, RetentionClass.Unsafe, answerLength: 16 * 28).Should().BeTrue();
        var safe = Handle(cut, 21, 21, RetentionClass.Safe);

        Enumerable.Range(0, 16).Where(id => Known(cut, (ulong)id).Length > 0).Should().Equal(0, 1, 2, 3, 4, 5, 6, 7);
        safe.Should().BeFalse();
        Receive(cut, 21, 21, 0, out _).Should().Be(DuplicateCheck.New);
    }

    [Fact]
    public void An_unsafe_message_whose_answer_is_too_long_is_still_recognized()
    {
        var cut = Create();

        Handle(cut, 1, 1, RetentionClass.Unsafe, answerLength: 1153).Should().BeFalse();
        Handle(cut, 1, 2, RetentionClass.Idempotent, answerLength: 1153).Should().BeFalse();

        Receive(cut, 1, 1, 1, out _).Should().Be(DuplicateCheck.AnswerLost);
        Receive(cut, 1, 2, 1, out _).Should().Be(DuplicateCheck.New);
    }

    [Fact]
    public void A_peer_with_long_answers_pushes_out_only_its_own()
    {
        var cut = Create(capacity: 1024, answerBytes: 64 * 32);     // 64 cells: 32 for each of two peers
        for (var id = 0; id < 32; id++) { Handle(cut, 1, id, RetentionClass.Safe); }

        for (var id = 0; id < 100; id++) { Handle(cut, 2, id, RetentionClass.Unsafe, answerLength: 8 * 28); }

        Known(cut, 1).Should().HaveCount(32);
        Known(cut, 2).Should().Equal(96, 97, 98, 99);
    }

    [Fact]
    public void A_million_messages_of_a_thousand_peers_allocate_nothing_of_their_own()
    {
        var cut = Create();
        Deduplication Begin()
        {
            cut = new(new() { Capacity = 4096, AnswerBufferSize = 256 << 10 }, TransmissionParameters.Default, key: 5);
            Exchange(cut, 0, 1000);
            return cut;
        }

        var allocated = Allocations.Of(Begin, static one => Exchange(one, 1000, 1_000_000));

        allocated.Should().BeLessThan(10_000, "not one object for a thousand messages");
        cut.Count.Should().Be(4096);
        cut.Peers.Should().Be(1000);
        cut.OldestAge(1_001_000 * (Second / 10_000)).Should().BeInRange(Second / 10, Second);      // 4,096 messages at 10,000 a second
    }

    [Fact]
    public void Memory_is_reserved_only_when_there_is_something_to_remember()
    {
        var cut = Create();

        var idle = Allocations.Of(() => cut = new(new(), TransmissionParameters.Default, key: 6));
        var used = Allocations.Of(() =>
        {
            cut = new(new(), TransmissionParameters.Default, key: 6);
            Exchange(cut, 0, 1);
        });

        idle.Should().BeLessThan(10_000, "a client that gets its answers in acknowledgements never remembers anything");
        used.Should().BeGreaterThan(16 << 20);
        cut.Count.Should().Be(1);
    }

    private static void Exchange(Deduplication cut, int first, int count)
    {
        Span<byte> datagram = stackalloc byte[21];
        Span<byte> answer = stackalloc byte[50];
        for (var i = first; i < first + count; i++)
        {
            var key = new ChannelKey(PeerIdentity.FromIPv4(0x0A00_0000 + (uint)(i % 1000), 5683), default);
            BitConverter.TryWriteBytes(datagram, i);
            cut.Check(key, new((ushort)(i / 1000)), true, datagram, i * (Second / 10_000), out var ticket);
            cut.Retain(ticket, RetentionClass.Safe, answer, i * (Second / 10_000));
        }
    }
}
