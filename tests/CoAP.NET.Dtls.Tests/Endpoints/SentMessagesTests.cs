using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Which messages of a client belong to an earlier session.</summary>
public sealed class SentMessagesTests
{
    private const byte Get = 1, Post = 2, Put = 3, Patch = 6, Unknown = 9, Changed = 0x44;
    private const int Confirmable = 0, NonConfirmable = 1, Acknowledgement = 2, Reset = 3;

    private static readonly TimeSpan ExchangeLifetime = TimeSpan.FromSeconds(247);

    private readonly SentMessages _cut = new();

    [Theory, Trait("RFC", "7252 9.1.1"), InlineData(Post, true), InlineData(Patch, true), InlineData(Unknown, true), InlineData(Get, false), InlineData(Put, false)]
    public void A_request_that_must_not_be_executed_twice_stays_in_its_session(byte code, bool expected)
    {
        Send(code, 1);

        Forbids(code, 1).Should().BeFalse("the session is still there");
        _cut.EndSession();
        Forbids(code, 1).Should().Be(expected);
    }

    [Fact, Trait("RFC", "7252 9.1.1")]
    public void All_POSTs_that_wait_at_the_same_time_stay_in_their_session()
    {
        for (ushort id = 0; id < 1000; id++) { Send(Post, id); }
        _cut.EndSession();

        for (ushort id = 0; id < 1000; id++) { Forbids(Post, id).Should().BeTrue(); }
    }

    [Fact, Trait("RFC", "7252 9.1.1")]
    public void Other_messages_do_not_make_it_forget_a_POST()
    {
        Send(Post, 1);
        for (ushort id = 2; id < 2000; id++)
        {
            Send(Get, id);
            Send(0, id, Acknowledgement);
            Send(0, id, Reset);
            Send(Changed, id, NonConfirmable);
        }
        _cut.EndSession();

        Forbids(Post, 1).Should().BeTrue();
    }

    [Fact, Trait("RFC", "7252 9.1.1")]
    public void The_numbers_of_the_server_are_not_taken_for_those_of_the_client()
    {
        Send(Changed, 1, Acknowledgement);
        Send(0, 2, Reset);
        _cut.EndSession();

        (Forbids(Post, 1), Forbids(Post, 2)).Should().Be((false, false));
    }

    [Fact, Trait("RFC", "7252 9.1.1")]
    public void A_POST_stays_in_its_session_also_after_two_others()
    {
        Send(Post, 1);
        _cut.EndSession();
        Send(Post, 2);
        _cut.EndSession();

        (Forbids(Post, 1), Forbids(Post, 2)).Should().Be((true, true));
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_message_ID_can_be_used_again_when_the_exchange_is_over()
    {
        Send(Post, 1);
        Send(Post, 2);
        Send(Post, 3);
        _cut.Receive(Message(Changed, 1, Acknowledgement));
        _cut.Receive(Message(Changed, 77, NonConfirmable, token: 2));
        _cut.EndSession();

        (Forbids(Post, 1), Forbids(Post, 2), Forbids(Post, 3)).Should().Be((false, false, true));
        Forbids(Post, 3, ExchangeLifetime).Should().BeFalse();
    }

    [Fact]
    public void The_answer_to_the_third_copy_may_take_as_long_as_the_first_wait_however_many_messages_came_before()
    {
        for (var count = 0; count < 200_000; count++) { Send(Get, (ushort)count); }

        Repeat(3391, at: 2).Should().BeNull();    // the last one
        Repeat(3391, at: 6).Should().BeNull();
        Repeat(3391, at: 14).Should().Be(TimeSpan.FromSeconds(2));
        Repeat(3391, at: 30).Should().Be(TimeSpan.FromSeconds(2));
    }

    [Fact]
    public void Copies_before_a_record_of_the_server_and_copies_of_other_messages_do_not_count()
    {
        for (ushort id = 0; id < 10; id++) { Send(Get, id); }

        for (ushort id = 0; id < 10; id++) { Repeat(id, at: 2).Should().BeNull(); }
        Repeat(0, at: 6).Should().BeNull();
        _cut.Hear();
        Repeat(0, at: 14).Should().BeNull();
        Repeat(0, at: 30).Should().BeNull();
        Repeat(0, at: 62).Should().NotBeNull();
    }

    [Fact, Trait("RFC", "7252 9.1.1"), Trait("RFC", "7252 9.1.2")]
    public void Responses_to_the_server_stay_in_the_session_of_the_request()
    {
        _cut.Receive(Message(Get, 1, Confirmable, token: 5));
        AnswersAreForbidden().Should().Be((false, false, false));

        _cut.EndSession();

        AnswersAreForbidden().Should().Be((true, true, true));
        _cut.Receive(Message(Get, 1, Confirmable, token: 5));
        AnswersAreForbidden().Should().Be((false, false, false), "the server asks again in the new session");
    }

    [Fact, Trait("RFC", "7252 9.1.1")]
    public void An_acknowledgement_of_a_notification_goes_out_although_a_request_of_an_earlier_session_had_its_number()
    {
        _cut.Receive(Message(Get, 1, Confirmable, token: 5));
        _cut.EndSession();

        _cut.Receive(Message(0x45, 1, Confirmable, token: 9));

        _cut.Forbids(Message(0, 1, Acknowledgement), default).Should().BeFalse();
    }

    private (bool, bool, bool) AnswersAreForbidden() => (
        _cut.Forbids(Message(0, 1, Acknowledgement), default), _cut.Forbids(Message(0, 1, Reset), default),
        _cut.Forbids(Message(0x45, 300, NonConfirmable, token: 5), default));

    private void Send(byte code, ushort id, int type = Confirmable) => _cut.Note(Message(code, id, type), default);

    private TimeSpan? Repeat(ushort id, double at) => _cut.Note(Message(Get, id, Confirmable), TimeSpan.FromSeconds(at));

    private bool Forbids(byte code, ushort id, TimeSpan now = default) => _cut.Forbids(Message(code, id, Confirmable), now);

    // The token of a request is its number here.
    private static byte[] Message(byte code, ushort id, int type, ushort? token = null) => code == 0
        ? [(byte)(0x40 | (type << 4)), 0, (byte)(id >> 8), (byte)id]
        : [(byte)(0x42 | (type << 4)), code, (byte)(id >> 8), (byte)id, (byte)((token ?? id) >> 8), (byte)(token ?? id)];
}
