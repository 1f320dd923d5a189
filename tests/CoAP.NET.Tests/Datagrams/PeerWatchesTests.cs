using System.Net.Sockets;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Datagrams;

/// <summary>Which requests a Reset or an error of the network aborts (RFC 7252, section 4.2), and how many are looked at for it.</summary>
public sealed class PeerWatchesTests : IDisposable
{
    private const int Many = 600;       // more than are aborted in one turn

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

    [Fact, Trait("RFC", "7252 4.2")]
    public void Undelivered_acknowledgements_that_match_no_request_cost_nothing()
    {
        SendMany(static id => id);

        for (var id = Many + 1; id < 3 * Many; id++) { ReportAcknowledgement(id); }

        _server.Lane.Watches.Examined.Should().Be(0);
        Aborted().Should().BeEmpty();
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void An_undelivered_acknowledgement_aborts_its_request_and_looks_at_no_other()
    {
        SendMany(static id => id);

        for (var i = 0; i < 100; i++) { ReportAcknowledgement(7); }

        _server.Lane.Watches.Examined.Should().Be(1);
        Aborted().Should().Equal(6);
    }

    // The peer reuses a message ID in other requests, so that many would have it.
    [Fact, Trait("RFC", "7252 4.4")]
    public void An_undelivered_acknowledgement_concerns_the_latest_request_with_its_message_ID()
    {
        for (var i = 0; i < 50; i++) { _client.Send([0x42, 0x01, 0, 1, 0, (byte)i, 0xB4, .. "slow"u8]); }
        _client.TakeAll(seconds: 2);
        _tokens.Should().HaveCount(50);

        for (var i = 0; i < 100; i++) { ReportAcknowledgement(1); }

        _server.Lane.Watches.Examined.Should().Be(1);
        Aborted().Should().Equal(49);
    }

    [Theory, Trait("RFC", "7252 4.2")]
    [InlineData(true)]
    [InlineData(false)]
    public void A_Reset_looks_only_at_the_requests_that_it_aborts(bool hasEachItsToken)
    {
        const int Resets = 20;
        SendMany(id => hasEachItsToken ? id : 1);
        for (var i = 0; i < Resets; i++) { _late.Answer(Content); }
        var answers = TakeAnswers();
        answers.Should().HaveCount(Resets);
        for (var id = Many + 1; id <= Many + 100; id++) { Request(id, token: 1); }
        _client.TakeAll(seconds: 0.01);

        foreach (var answer in answers) { _client.Send([0x70, 0, answer[2], answer[3]]); }
        _client.TakeAll(seconds: 1);

        var aborted = hasEachItsToken ? 0 : Many - Resets;
        Aborted().Should().HaveCount(aborted);
        _server.Lane.Watches.Examined.Should().BeInRange(aborted, aborted + Resets);
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void A_Reset_aborts_many_requests_in_portions_and_none_that_come_meanwhile()
    {
        const int MostPerTurn = 256;
        SendMany(static _ => 1);
        _late.Answer(Content);
        var answer = TakeAnswers().Single();

        Receive([0x70, 0, answer[2], answer[3]]);
        _server.Lane.Watches.Examined.Should().Be(MostPerTurn);
        Receive([0x42, 0x01, 0x70, 0, 0, 1, 0xB4, .. "slow"u8]);
        _client.TakeAll(seconds: 1);

        _tokens.Should().HaveCount(Many + 1);
        Aborted().Should().Equal(Enumerable.Range(1, Many - 1));
    }

    [Fact, Trait("RFC", "7252 4.2")]
    public void An_undelivered_answer_aborts_each_request_of_the_peer_once()
    {
        SendMany(static id => id);
        _late.Answer(Content);
        _late.Answer(Content);
        var answers = TakeAnswers();
        answers.Should().HaveCount(2);

        foreach (var answer in answers) { Report(answer); }
        _client.TakeAll(seconds: 1);

        Aborted().Should().Equal(Enumerable.Range(2, Many - 2));
        _server.Lane.Watches.Examined.Should().Be(Many - 2);
    }

    private int[] Aborted() => [.. Enumerable.Range(0, _tokens.Count).Where(i => _tokens[i].IsCancellationRequested)];

    private byte[][] TakeAnswers() =>
        [.. _client.TakeAll(TimeSpan.FromSeconds(0.01)).Select(static one => one.ToArray()).Where(static one => one[0] >> 4 == 0x4)];

    private void SendMany(Func<int, int> tokenOf)
    {
        for (var id = 1; id <= Many; id++) { Request(id, tokenOf(id)); }
        _client.TakeAll(seconds: 2);    // the requests are acknowledged
        _tokens.Should().HaveCount(Many);
    }

    private void Request(int id, int token) =>
        _client.Send([0x42, 0x01, (byte)(id >> 8), (byte)id, (byte)(token >> 8), (byte)token, 0xB4, .. "slow"u8]);

    // Within the call, without further work of the lane.
    private void Receive(byte[] datagram) =>
        ((IDatagramReceiver)_server.Lane).OnDatagram(new ChannelKey(_client.Self, _wire.Server), datagram);

    private void ReportAcknowledgement(int id) => Report([0x60, 0, (byte)(id >> 8), (byte)id]);

    private void Report(byte[] quoted) =>
        ((IDatagramReceiver)_server.Lane).OnNetworkError(new ChannelKey(_client.Self, _wire.Server), quoted, SocketError.ConnectionRefused);

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
