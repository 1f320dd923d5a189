using CoAP.Lanes;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Message correlation: 65,536 message IDs and how long they last (RFC 7252, section 4.4).</summary>
public sealed class Rfc7252Section4_4Tests : IDisposable
{
    private const int UnicastIds = 64_512;      // the rest is kept for multicast

    private static readonly DeduplicationSettings Small = new() { Capacity = 1024, AnswerBufferSize = 65_536 };

    private readonly Wire _wire = new(new ManualClock());
    private LaneEnd? _client;
    private LaneEnd? _server;

    public void Dispose()
    {
        _client?.Dispose();
        _server?.Dispose();
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void Message_IDs_follow_each_other_and_start_somewhere_else_for_each_client()
    {
        var starts = new HashSet<int>();
        for (var seed = 0; seed < 20; seed++)
        {
            var wire = new Wire(new ManualClock(), seed);
            using var client = LaneEnd.Client(wire, new CoapClientSettings { Deduplication = Small, Transmission = new() { NStart = 2 } });
            _ = client.Get("/a");
            _ = client.Get("/b");
            wire.RunUntilIdle(TimeSpan.Zero);
            var ids = wire.Sent(Direction.ToServer).Select(sent => WireMessage.Read(sent.Bytes).Id).ToList();
            ids[1].Should().Be((ids[0] + 1) % UnicastIds);
            starts.Add(ids[0]);
        }

        starts.Count.Should().BeGreaterThan(15, "starts that cannot be guessed seldom meet");
    }

    [Fact, Trait("RFC", "7252 4.4"), Trait("RFC", "7252 4.7")]
    public void Without_a_message_ID_out_of_quarantine_a_strict_client_fails_all_that_wait_at_once_and_clearly()
    {
        const int Queued = 20_000;      // one inside the other, they would be too deep for the stack
        Open(new CoapClientSettings { Deduplication = Small, MaxQueuedRequests = Queued });
        for (var i = 0; i < UnicastIds - 1; i++) { Exchange(); }

        var last = _client!.Get("/hello");
        var calls = Enumerable.Range(0, Queued).Select(_ => _client.Get("/hello")).ToList();
        _wire.RunUntilIdle(TimeSpan.Zero);

        last.Answer().Code.Should().Be(ResponseCode.Content);
        calls.Count(call => call.IsFaulted).Should().Be(Queued);
        calls[^1].Invoking(call => call.Answer()).Should().Throw<CoapBusyException>().WithMessage("*260 messages a second*");
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_strict_client_that_may_wait_sends_again_after_EXCHANGE_LIFETIME()
    {
        Open(new CoapClientSettings { Deduplication = Small, MaxMessageIdWait = TimeSpan.FromMinutes(5) });
        for (var i = 0; i < UnicastIds; i++) { Exchange(); }

        Exchange().Code.Should().Be(ResponseCode.Content);

        _wire.Time.Elapsed.TotalSeconds.Should().BeInRange(247, 248);
        _client!.Lane.Metrics[LaneCounters.ReusedMessageIds].Should().Be(0);
    }

    [Fact, Trait("RFC", "7252 4.4")]
    public void A_client_that_allows_reuse_goes_on_and_counts()
    {
        Open(new CoapClientSettings { Deduplication = Small, AllowsMessageIdReuse = true });
        for (var i = 0; i < UnicastIds; i++) { Exchange(); }

        for (var i = 0; i < 100; i++) { Exchange().Code.Should().Be(ResponseCode.Content); }

        _wire.Time.Elapsed.Should().Be(TimeSpan.Zero);
        _client!.Lane.Metrics[LaneCounters.ReusedMessageIds].Should().Be(100);
    }

    [Theory, Trait("RFC", "7252 4.4"), Trait("RFC", "7252 4.5")]
    [InlineData(0x40), InlineData(0x50)]
    public void A_server_lives_on_after_65536_exchanges_with_one_peer(byte type)
    {
        _server = LaneEnd.Server(_wire, Hello, new CoapServerSettings { Deduplication = Small });
        using var peer = _wire.Network.OpenDatagrams(PeerIdentity.From("client"));
        for (var id = 0; id < 70_000; id++)
        {
            peer.Send(new ChannelKey(_wire.Server, default), [(byte)(type | 3), 1, (byte)(id >> 8), (byte)id, (byte)(id >> 16), (byte)(id >> 8), (byte)id, 0xB5, .. "hello"u8]);
            _server.Run();
        }

        var answers = _wire.Sent(Direction.ToClient);
        answers.Should().HaveCount(70_000);
        answers.Should().OnlyContain(answer => answer.Bytes[1] == 69);
        _server.Lane.Deduplication.Count.Should().BeLessThanOrEqualTo(1024);
        _server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    private static void Hello(ResourceMap resources) => resources.At("hello").Get(_ => Response.Content("hi"), HandlerMode.Inline);

    private void Open(CoapClientSettings settings)
    {
        _client = LaneEnd.Client(_wire, settings);
        _server = LaneEnd.Server(_wire, Hello, new CoapServerSettings { Deduplication = Small });
    }

    private CoapResponse Exchange()
    {
        var call = _client!.Get("/hello");
        _wire.RunUntil(() => call.IsCompleted);
        return call.Answer();
    }
}
