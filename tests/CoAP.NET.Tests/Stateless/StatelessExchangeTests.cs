using System.Text;
using CoAP.Stateless;
using CoAP.TestSupport;

namespace CoAP.Tests.Stateless;

/// <summary>A client that keeps nothing of its requests, and a server that follows a script (RFC 8974, section 3.3).</summary>
public sealed class StatelessExchangeTests : IDisposable
{
    private const string NothingKept = "0 exchanges, 0 unsettled messages, 0 pending requests, 1 channels, 1 deadlines";

    private readonly Wire _wire = new(new ManualClock());
    private readonly StatelessTokens _tokens = new();
    private readonly List<StatelessResponse> _taken = [];
    private readonly LaneEnd _client;
    private readonly ScriptedPeer _server;

    public StatelessExchangeTests()
    {
        _client = LaneEnd.Client(_wire, new CoapClientSettings { StatelessTokens = _tokens, Links = [MeshLink.Filter(MeshArrow.StatelessResponses, Take)] });
        _server = ScriptedPeer.Server(_wire);
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
        _tokens.Dispose();
    }

    private bool Take(StatelessResponse response)
    {
        _taken.Add(response);
        return true;
    }

    private Task<CoapResponse> Send(string state, string path = "/x") =>
        StatelessRequest.Send(_client.ChannelTo(_wire.Server), new CoapRequest(RequestCode.Get, path), _tokens, Encoding.UTF8.GetBytes(state), parked: false).Task;

    // Client              Server
    //    | NON GET, token      |
    //    |   with the state    |
    //    +-------------------->|
    //    | NON 2.05            |
    //    |<--------------------+
    [Fact, Trait("RFC", "8974 3.3")]
    public void No_state_is_stored_and_the_response_returns_it()
    {
        var sent = Send("who asked");

        _server.Expect("NON [X] GET /x (Token T)", at: 0);
        (sent.IsCompletedSuccessfully, _client.Leftovers).Should().Be((true, NothingKept));
        _server.ExpectNothing(seconds: 100);
        _server.Send("NON [0x0001] 2.05 Content (Token T) 'hot'");
        _server.ExpectNothing(seconds: 1);

        var response = _taken.Should().ContainSingle().Subject;
        (response.Peer, Encoding.UTF8.GetString(response.State.Span)).Should().Be((_wire.Server, "who asked"));
        (response.Response.Code, response.Response.PayloadText, response.Response.Remote).Should().Be((ResponseCode.Content, "hot", _wire.Server));
    }

    [Fact, Trait("RFC", "8974 3.3")]
    public void A_confirmable_response_is_acknowledged_also_when_it_comes_again()
    {
        _ = Send("s");
        _server.Expect("NON [X] GET /x (Token T)");

        _server.Send("CON [0x0001] 2.05 Content (Token T) 'hot'");
        _server.Expect("ACK [0x0001]");
        _server.Send("CON [0x0001] 2.05 Content (Token T) 'hot'");
        _server.Expect("ACK [0x0001]");

        _taken.Should().ContainSingle();
    }

    [Fact, Trait("RFC", "8974 3.3")]
    public void A_piggybacked_response_is_taken_whatever_the_request_was()
    {
        _ = Send("s");
        _server.Expect("NON [X] GET /x (Token T)");

        _server.Send("ACK [X] 2.05 Content (Token T) 'hot'");
        _server.ExpectNothing(seconds: 1);

        _taken.Should().ContainSingle();
    }

    [Theory, Trait("RFC", "8974 3.3")]
    [InlineData("CON", "RST [0x0002]"), InlineData("NON", "RST [0x0002]"), InlineData("ACK", null)]
    public void A_response_whose_token_was_used_is_rejected_or_ignored(string type, string? reaction)
    {
        _ = Send("s");
        _server.Expect("NON [X] GET /x (Token T)");
        _server.Send("NON [0x0001] 2.05 Content (Token T) '1'");

        _server.Send($"{type} [0x0002] 2.05 Content (Token T) '2'");

        if (reaction is not null) { _server.Expect(reaction); }
        _server.ExpectNothing(seconds: 1);
        _taken.Should().ContainSingle();
    }

    [Fact, Trait("RFC", "8974 3.1")]
    public void A_response_after_the_lifetime_or_from_somebody_else_is_rejected()
    {
        using var other = ScriptedPeer.Server(_wire, "other");
        _ = Send("s");
        _server.Expect("NON [X] GET /x (Token T)");
        var token = Convert.ToHexString(WireMessage.Read(_server.LastBytes).Token);

        other.Send($"CON [0x0001] 2.05 Content (Token 0x{token})");
        other.Expect("RST [0x0001]");
        _server.ExpectNothing(seconds: 248);
        _server.Send("CON [0x0001] 2.05 Content (Token T)");
        _server.Expect("RST [0x0001]");

        _taken.Should().BeEmpty();
    }

    [Fact]
    public void A_response_with_a_critical_option_that_nobody_knows_is_rejected()
    {
        _ = Send("s");
        _server.Expect("NON [X] GET /x (Token T)");

        _server.Send("CON [0x0001] 2.05 Content (Token T) {65001: 0x01}");

        _server.Expect("RST [0x0001]");
        _taken.Should().BeEmpty();
    }

    // PROBING_RATE: 256 bytes at once, until the peer is heard.
    [Fact, Trait("RFC", "7252 4.7")]
    public void Requests_to_a_silent_peer_keep_to_the_probing_rate()
    {
        var calls = Enumerable.Range(0, 100).Select(_ => Send("s")).ToList();
        _server.TakeAll(seconds: 0);
        var before = _server.Received.Count;

        before.Should().BeInRange(3, 10);
        calls.Count(call => call.Exception?.InnerException is CoapBusyException).Should().Be(100 - before);
        _server.Send("CON [0x0001]");
        _server.TakeAll(seconds: 0);
        Send("s").IsFaulted.Should().BeFalse();
    }

    [Fact]
    public void A_request_that_does_not_fit_with_its_token_is_refused_at_the_call()
    {
        var request = new CoapRequest(RequestCode.Post, "/x") { Payload = new byte[1000] };

        FluentActions.Invoking(() => StatelessRequest.Send(_client.ChannelTo(_wire.Server), request, _tokens, new byte[200], parked: false))
            .Should().Throw<ArgumentException>().WithMessage("*at most 1152*");
    }

    [Fact]
    public void Without_tokens_in_the_settings_responses_are_matched_as_ever()
    {
        using var client = LaneEnd.Client(_wire, name: "plain");
        _ = client.Get("/y", confirmable: false);

        _server.Expect("NON [X] GET /y (Token T)");
        _server.Send("CON [0x0001] 2.05 Content (Token 0x010203)");

        _server.Expect("RST [0x0001]");
    }
}
