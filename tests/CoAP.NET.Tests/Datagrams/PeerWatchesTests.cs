using CoAP.TestSupport;

namespace CoAP.Tests.Datagrams;

/// <summary>Which requests a Reset aborts (RFC 7252, section 4.2).</summary>
public sealed class PeerWatchesTests : IDisposable
{
    private static readonly CoapResponse Content = new(ResponseCode.Content);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private readonly LateAnswer _late = new();
    private readonly List<CancellationToken> _tokens = [];
    private Resource _observed = null!;

    public PeerWatchesTests()
    {
        _server = LaneEnd.Server(_wire, Map);
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    // Client              Server
    //    | CON [P]            |  a notification
    //    |<-------------------+
    //    | GET                |  another request with its token
    //    +------------------->|
    //    | RST [P]            |
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.2")]
    public void A_rejected_notification_aborts_no_request_with_its_token()
    {
        _client.Send("CON [0x0001] GET /observed (Token 0x4a) {Observe: 0}");
        _client.Expect("ACK [0x0001] 2.05 Content (Token 0x4a) {Observe: 1}");
        _observed.NotifyChanged();
        _client.Expect("CON [P] 2.05 Content (Token 0x4a) {Observe: 2}");
        _client.Send("CON [0x0002] GET /slow (Token 0x4a)");
        _client.TakeAll(seconds: 0.01);

        _client.Send("RST [P]");
        _client.TakeAll(seconds: 1);

        _observed.ObserverCount.Should().Be(0);
        _tokens.Should().ContainSingle().Which.IsCancellationRequested.Should().BeFalse();
    }

    // Client              Server
    //    | GET, GET           |  with one token
    //    +------------------->|
    //    | CON [P]            |  the first answer
    //    |<-------------------+
    //    | GET                |
    //    +------------------->|
    //    | RST [P]            |  the client does not know the token of the second request
    //    +------------------->|
    [Fact, Trait("RFC", "7252 4.2")]
    public void A_rejected_answer_aborts_the_requests_before_it_and_not_those_after_it()
    {
        _client.Send("CON [0x0001] GET /slow (Token 0x4a)");
        _client.Send("CON [0x0002] GET /slow (Token 0x4a)");
        _client.Expect("ACK [0x0001]");
        _client.Expect("ACK [0x0002]");
        _late.Answer(Content);
        _client.Expect("CON [P] 2.05 Content (Token 0x4a)");
        _client.Send("CON [0x0003] GET /slow (Token 0x4a)");
        _client.TakeAll(seconds: 0.01);

        _client.Send("RST [P]");
        _client.TakeAll(seconds: 1);

        _tokens.Select(static token => token.IsCancellationRequested).Should().Equal(false, true, false);
    }

    private void Map(ResourceMap map)
    {
        _observed = map.At("observed").Observable().Get(static _ => Content, HandlerMode.Inline);
        map.At("slow").Get((request, cancellationToken) =>
        {
            _tokens.Add(request.RequestAborted);
            return _late.HandleAsync(request, cancellationToken);
        });
    }
}
