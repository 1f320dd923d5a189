using CoAP.Reliability;

namespace CoAP.Tests.Reliability;

public class DeduplicationTests
{
    private const long Second = TimeSpan.TicksPerSecond;
    private static readonly byte[] Request = Convert.FromHexString("40011234" + "B568656C6C6F");        // CON GET /hello
    private static readonly byte[] Answer = Convert.FromHexString("60451234" + "FF" + "48656C6C6F");      // ACK 2.05 "Hello"

    private static readonly ChannelKey Peer = new(PeerIdentity.From("peer"), PeerIdentity.From("local"));
    private static readonly MessageId Id = new(0x1234);

    private readonly Deduplication _cut = new(
        new() { Capacity = 64, AnswerBufferSize = 4096 }, TransmissionParameters.Default, key: 0x0123_4567_89AB_CDEF);

    private DuplicateCheck Check(byte[] datagram, long now, out Ticket ticket, bool confirmable = true) =>
        _cut.Check(Peer, Id, confirmable, datagram, now, out ticket);

    private byte[] CopyOf(Ticket ticket)
    {
        var bytes = new byte[_cut.AnswerLength(ticket)];
        _cut.CopyAnswer(ticket, bytes).Should().Be(bytes.Length);
        return bytes;
    }

    //    Client              Server
    //       |   CON GET 0x1234  |
    //       +------------------>|   new
    //       |   (ACK lost)  X---+   2.05 is retained
    //       |   CON GET 0x1234  |
    //       +------------------>|   a duplicate
    //       |<------------------+   the same bytes
    [Fact]
    [Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_an_answered_message_gets_the_same_bytes()
    {
        Check(Request, 0, out var ticket).Should().Be(DuplicateCheck.New);
        _cut.Retain(ticket, RetentionClass.Safe, Answer, 0).Should().BeTrue();

        Check(Request, 3 * Second, out var again).Should().Be(DuplicateCheck.Answered);

        CopyOf(again).Should().Equal(Answer);
        _cut.Count.Should().Be(1);
    }

    [Fact]
    [Trait("RFC", "7252 4.5")]
    public void While_a_message_is_handled_its_duplicates_get_the_empty_ACK_if_one_was_sent_and_else_nothing()
    {
        Check(Request, 0, out var ticket);

        Check(Request, 1, out var same).Should().Be(DuplicateCheck.InProgress);
        _cut.MarkAcknowledged(ticket);
        Check(Request, 2, out _).Should().Be(DuplicateCheck.Acknowledged);
        _cut.Retain(ticket, RetentionClass.Unsafe, default, 3).Should().BeTrue();       // the answer goes as a message of its own
        Check(Request, 4, out _).Should().Be(DuplicateCheck.Acknowledged);

        same.Should().Be(ticket);
    }

    [Fact]
    [Trait("RFC", "7252 4.5")]
    public void A_duplicate_of_a_non_confirmable_message_is_ignored_for_NON_LIFETIME()
    {
        Check(Request, 0, out var ticket, confirmable: false).Should().Be(DuplicateCheck.New);
        Check(Request, 1, out _, confirmable: false).Should().Be(DuplicateCheck.Ignore);
        _cut.MarkAcknowledged(ticket);
        _cut.Retain(ticket, RetentionClass.Safe, Answer, 2).Should().BeTrue();

        Check(Request, (145 * Second) - 1, out var again, confirmable: false).Should().Be(DuplicateCheck.Ignore);
        _cut.AnswerLength(again).Should().Be(0);
        Check(Request, 145 * Second, out _, confirmable: false).Should().Be(DuplicateCheck.New);
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public void The_same_ID_with_other_bytes_is_a_new_message_that_takes_the_others_place()
    {
        Check(Request, 0, out var first);
        _cut.Retain(first, RetentionClass.Safe, Answer, 0);
        byte[] other = [.. Request, 0xFF, 0x00];

        Check(other, 1, out var second).Should().Be(DuplicateCheck.NewWithReusedId);

        Check(other, 2, out _).Should().Be(DuplicateCheck.InProgress);
        _cut.AnswerLength(first).Should().Be(0);
        _cut.Retain(second, RetentionClass.Safe, Answer, 3).Should().BeTrue();
        Check(Request, 4, out _).Should().Be(DuplicateCheck.NewWithReusedId);
    }

    [Fact]
    [Trait("RFC", "7252 4.5")]
    public void An_entry_expires_after_EXCHANGE_LIFETIME_from_the_first_reception()
    {
        Check(Request, 0, out var ticket);
        _cut.Retain(ticket, RetentionClass.Unsafe, Answer, 5 * Second);

        Check(Request, (247 * Second) - 1, out _).Should().Be(DuplicateCheck.Answered);
        _cut.OldestAge((247 * Second) - 1).Should().Be((247 * Second) - 1);
        Check(Request, 247 * Second, out _).Should().Be(DuplicateCheck.New);
        _cut.OldestAge(247 * Second).Should().Be(0);
    }

    [Fact]
    [Trait("RFC", "7252 4.1")]
    public void The_same_bytes_from_another_endpoint_or_to_another_address_are_new()
    {
        Check(Request, 0, out _);

        var fromOther = _cut.Check(Peer with { Peer = PeerIdentity.From("other") }, Id, true, Request, 0, out _);
        var toOther = _cut.Check(Peer with { Local = PeerIdentity.From("other") }, Id, true, Request, 0, out _);

        fromOther.Should().Be(DuplicateCheck.New);
        toOther.Should().Be(DuplicateCheck.New);
        _cut.Peers.Should().Be(2);
    }

    [Fact]
    public void A_forgotten_message_is_new_again_and_its_ticket_does_nothing()
    {
        Check(Request, 0, out var ticket);
        _cut.Forget(ticket);
        Check(Request, 1, out var next).Should().Be(DuplicateCheck.New);

        _cut.Forget(ticket);
        _cut.MarkAcknowledged(ticket);
        _cut.Retain(ticket, RetentionClass.Safe, Answer, 2).Should().BeFalse();
        _cut.Forget(default);

        Check(Request, 3, out var still).Should().Be(DuplicateCheck.InProgress);
        still.Should().Be(next);
    }

    [Fact]
    public void A_message_that_was_handled_without_any_answer_is_ignored_from_then_on()
    {
        Check(Request, 0, out var ticket);
        _cut.Retain(ticket, RetentionClass.Unsafe, default, 1);

        Check(Request, 2, out _).Should().Be(DuplicateCheck.Ignore);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(59)]
    [InlineData(60)]
    [InlineData(61)]
    [InlineData(120)]
    [InlineData(1152)]
    public void Answers_of_any_length_come_back_whole(int length)
    {
        var answer = new byte[length];
        new Random(length).NextBytes(answer);
        Check(Request, 0, out var ticket);
        _cut.Retain(ticket, RetentionClass.Safe, new byte[200], 0);

        _cut.Retain(ticket, RetentionClass.Safe, answer, 0).Should().BeTrue();

        CopyOf(ticket).Should().Equal(answer);
    }

    [Theory]
    [InlineData(1, RetentionClass.Safe)]            // GET
    [InlineData(2, RetentionClass.Unsafe)]          // POST
    [InlineData(3, RetentionClass.Idempotent)]      // PUT
    [InlineData(4, RetentionClass.Idempotent)]      // DELETE
    [InlineData(5, RetentionClass.Safe)]            // FETCH
    [InlineData(6, RetentionClass.Unsafe)]          // PATCH
    [InlineData(7, RetentionClass.Idempotent)]      // iPATCH
    [InlineData(8, RetentionClass.Unsafe)]          // not registered
    [InlineData(69, RetentionClass.Safe)]           // 2.05
    [Trait("RFC", "7252 5.1")]
    [Trait("RFC", "8132 3")]
    public void The_method_decides_how_long_an_answer_is_kept(byte code, object expected)
    {
        RetentionClasses.Of(new CoapCode(code)).Should().Be((RetentionClass)expected);
    }
}
