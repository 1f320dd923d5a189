using CoAP.Groups;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Groups;

/// <summary>A client that asks a group, in simulated time, and members that follow a script.</summary>
public sealed class GroupRequestTests : IDisposable
{
    private const string Group = "224.0.1.187";

    private static readonly MulticastRequestSettings TenSeconds = new();

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _client;
    private readonly ScriptedPeer _a;
    private readonly ScriptedPeer _b;

    public GroupRequestTests()
    {
        _client = LaneEnd.Client(_wire, new CoapClientSettings { MaxMulticastRequests = 2 });
        _a = ScriptedPeer.Member(_wire, "a", Group);
        _b = ScriptedPeer.Member(_wire, "b", Group);
    }

    public void Dispose()
    {
        _client.Dispose();
        _a.Dispose();
        _b.Dispose();
    }

    // Client              Group
    //    | NON [X] GET /t (Token T)   |
    //    +--------------------------->|   to a and b
    //    | NON [1] 2.05 (T) "a"       |
    //    |<---------------------------+   from a
    //    | NON [1] 2.05 (T) "b"       |
    //    |<---------------------------+   from b, with the same message ID
    [Fact, Trait("RFC", "7252 8.2")]
    public void Answers_of_all_members_are_matched_by_the_token_alone()
    {
        var sent = Ask();

        _a.Expect("NON [X] GET /t (Token T)", at: 0);
        _b.Expect("NON [X] GET /t (Token T)", at: 0);
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'a'");
        _b.Send("NON [0x0001] 2.05 Content (Token T) 'b'");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        TakeAll(sent).Select(answer => (answer.Remote.ToString(), answer.PayloadText)).Should().Equal(("a", "a"), ("b", "b"));
    }

    [Fact, Trait("RFC", "10020 3.1.4")]
    public void A_response_that_arrives_at_another_port_than_that_of_the_request_is_not_given()
    {
        var sent = Ask();
        _a.Expect("NON [X] GET /t (Token T)");
        var otherPort = PeerIdentity.From(new System.Net.IPEndPoint(System.Net.IPAddress.Loopback, 7));

        Arrive(id: 1, otherPort, "x");
        Arrive(id: 2, _client.Lane.LocalFor(PeerIdentity.From("a")), "y");

        TakeAll(sent).Select(answer => answer.PayloadText).Should().Equal("y");
    }

    // Client              Group               Member
    //    | NON [X] GET, Observe 0 (Token T)     |
    //    +------------------>|----------------->|
    //    | CON [Y] GET (Token U)                |
    //    +------------------------------------->|  Y is none of the numbers that X can be
    [Fact, Trait("RFC", "10020 3.7"), Trait("RFC", "7252 8.1")]
    public void Requests_to_a_member_have_other_message_IDs_than_those_to_its_group()
    {
        var member = PeerIdentity.From("a");
        for (var i = 0; i < 50; i++)
        {
            var observe = new CoapRequest(RequestCode.Get, "/t") { IsConfirmable = false, Options = [new Observe(0)] };
            using var toGroup = _client.Multicast(Group, observe);
            _ = _client.Send(new CoapRequest(RequestCode.Get, "/t"), member);
            _a.TakeAll(seconds: 1);
            var request = _a.Received.Select(WireMessage.Read).Last(message => message.Type == 0);
            _a.Send($"ACK [0x{request.Id:x4}] 2.05 Content (Token 0x{Hex.Text(request.Token)})");
            _wire.RunFor(TimeSpan.FromSeconds(1));
        }

        var ids = _a.Received.Select(WireMessage.Read).ToLookup(message => message.Type, message => message.Id);
        ids[1].Should().HaveCount(50).And.OnlyContain(id => id >= 64_512);
        ids[0].Should().HaveCount(50).And.OnlyContain(id => id < 64_512);
    }

    [Fact, Trait("RFC", "10020 3.1.5")]
    public void Tokens_of_group_requests_never_repeat()
    {
        using var client = LaneEnd.Client(_wire, new CoapClientSettings { MaxMulticastRequests = 1000 }, "busy");
        for (var i = 0; i < 500; i++) { client.Multicast(Group, new CoapRequest(RequestCode.Get, "/t") { IsConfirmable = false }); }

        _a.TakeAll(seconds: 1);

        var tokens = _a.Received.Select(static bytes => Hex.Text(WireMessage.Read(bytes).Token)).ToList();
        tokens.Should().HaveCount(500).And.OnlyHaveUniqueItems().And.OnlyContain(static token => token.Length == 16);
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_group_request_has_a_message_ID_reserved_for_groups()
    {
        Ask();

        _a.Expect("NON [X] GET /t (Token T)");

        ((_a.LastBytes[2] << 8) | _a.LastBytes[3]).Should().BeGreaterThanOrEqualTo(64_512);
        _wire.RunFor(TimeSpan.FromSeconds(600));
        _client.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact, Trait("RFC", "7252 4.5")]
    public void A_duplicate_is_dropped_and_a_second_answer_of_the_same_member_is_not()
    {
        var sent = Ask();

        _a.Expect("NON [X] GET /t (Token T)");
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'one'");
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'one'");
        _a.Send("NON [0x0002] 2.05 Content (Token T) 'two'");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        TakeAll(sent).Select(answer => answer.PayloadText).Should().Equal("one", "two");
    }

    [Fact, Trait("RFC", "7252 5.2.3")]
    public void A_confirmable_answer_is_acknowledged()
    {
        var sent = Ask();

        _a.Expect("NON [X] GET /t (Token T)");
        _a.Send("CON [0x0001] 2.05 Content (Token T) 'a'");

        _a.Expect("ACK [0x0001]");
        TakeAll(sent).Should().ContainSingle();
    }

    [Fact, Trait("RFC", "10020 3.1.5")]
    public void An_answer_that_comes_late_is_neither_given_nor_rejected()
    {
        var sent = Ask();

        _a.Expect("NON [X] GET /t (Token T)");
        _wire.RunFor(TenSeconds.ListenFor);
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'late'");
        _a.ExpectNothing(seconds: 1);

        TakeAll(sent).Should().BeEmpty();
        sent.Answers.IsEnded.Should().BeTrue();
    }

    [Fact, Trait("RFC", "7252 5.4.1")]
    public void An_answer_with_an_unknown_critical_option_is_dropped()
    {
        var sent = Ask();

        _a.Expect("NON [X] GET /t (Token T)");
        _a.SendBytes("58 45 0001" + Convert.ToHexString(_a.LastBytes[4..12]) + "e0 fcdc ff 61");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        TakeAll(sent).Should().BeEmpty();
    }

    [Fact, Trait("RFC", "7252 5.3.2")]
    public async Task A_member_cannot_answer_a_request_to_another_peer()
    {
        var unicast = _client.Send(new CoapRequest(RequestCode.Get, "/t") { IsConfirmable = false }, PeerIdentity.From("a"));

        _a.Expect("NON [X] GET /t (Token T)");
        _b.SendBytes("58 45 0001" + Convert.ToHexString(_a.LastBytes[4..12]) + "ff 62");
        _b.Expect("RST [0x0001]");
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'a'");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        (await unicast).PayloadText.Should().Be("a");
    }

    [Fact]
    public void A_slow_reader_gets_the_answers_that_had_room_and_then_an_error()
    {
        var sent = Ask(TenSeconds with { MaxQueuedAnswers = 1 });

        _a.Expect("NON [X] GET /t (Token T)");
        _b.Expect("NON [X] GET /t (Token T)");
        _a.Send("NON [0x0001] 2.05 Content (Token T) 'a'");
        _b.Send("NON [0x0001] 2.05 Content (Token T) 'b'");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        sent.Answers.TakeNow().Should().NotBeNull();
        sent.Answers.Invoking(static answers => answers.TakeNow()).Should().Throw<CoapBusyException>()
            .WithMessage("1 responses of the group*MaxQueuedAnswers*");
        _client.Lane.Metrics[LaneCounters.DroppedGroupAnswers].Should().Be(1);
    }

    [Fact]
    public void A_member_that_answers_too_often_leaves_room_for_the_others()
    {
        var sent = Ask(TenSeconds with { MaxQueuedAnswers = 4 });

        _a.Expect("NON [X] GET /t (Token T)");
        _b.Expect("NON [X] GET /t (Token T)");
        foreach (var number in Enumerable.Range(1, 9)) { _a.Send($"NON [0x000{number}] 2.05 Content (Token T) 'a{number}'"); }
        _wire.RunFor(TimeSpan.FromSeconds(1));
        _b.Send("NON [0x0001] 2.05 Content (Token T) 'b'");
        _wire.RunFor(TimeSpan.FromSeconds(1));

        TakeAll(sent).Select(static answer => answer.PayloadText).Should().Equal("a1", "a2", "b");
        _client.Lane.Metrics[LaneCounters.DroppedGroupAnswers].Should().Be(7);
    }

    [Fact]
    public void One_request_more_than_the_limit_fails_at_once_and_not_when_another_has_ended()
    {
        var (first, _) = (Ask(), Ask());

        var tooMany = Ask();
        _wire.RunFor(TimeSpan.FromSeconds(1));
        first.Dispose();
        var fourth = Ask();
        _wire.RunFor(TimeSpan.FromSeconds(1));

        tooMany.Invoking(one => one.Answers.TakeNow()).Should().Throw<CoapBusyException>().WithMessage("2 multicast requests*");
        fourth.Answers.IsEnded.Should().BeFalse();
    }

    [Fact]
    public void The_end_of_the_client_ends_the_wait()
    {
        var sent = Ask();
        _wire.RunFor(TimeSpan.FromSeconds(1));

        _client.Dispose();

        sent.Invoking(one => one.Answers.TakeNow()).Should().Throw<CoapTransportException>();
    }

    private GroupRequest Ask(MulticastRequestSettings? settings = null) =>
        _client.Multicast(Group, new CoapRequest(RequestCode.Get, "/t") { IsConfirmable = false }, settings);

    // A response of the member a with the token of its last request, at a local address of the client.
    private void Arrive(byte id, PeerIdentity at, string text)
    {
        byte[] response = [0x58, 0x45, 0, id, .. _a.LastBytes[4..12], 0xff, .. System.Text.Encoding.UTF8.GetBytes(text)];
        IDatagramReceiver receiver = _client.Lane;
        _client.Lane.Post(new LaneAction(() => receiver.OnDatagram(new(PeerIdentity.From("a"), at), response)));
        _wire.RunFor(TimeSpan.FromSeconds(1));
    }

    private static List<CoapResponse> TakeAll(GroupRequest sent)
    {
        var taken = new List<CoapResponse>();
        while (sent.Answers.TakeNow() is { } answer) { taken.Add(answer); }
        return taken;
    }
}
