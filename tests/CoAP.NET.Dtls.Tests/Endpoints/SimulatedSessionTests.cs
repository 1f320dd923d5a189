using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Sessions over a network that loses, repeats and reorders datagrams, in simulated time. The same seed gives the same run.</summary>
public sealed class SimulatedSessionTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);
    // Small enough for the lane: a handler thread would not run in simulated time.
    private static readonly byte[] Body = [.. Enumerable.Range(0, 2000).Select(static at => (byte)at)];

    [Fact, Trait("RFC", "6347 4.2.4")]
    public async Task A_session_begins_or_the_call_gets_a_clear_error_and_nothing_is_left_over()
    {
        var (answered, failed) = (0, 0);
        for (var seed = 0; seed < 1000; seed++)
        {
            using var cut = new Run(seed, loss: 0.2, duplication: 0.1);

            var (get, post) = cut.Ask();

            if (get.IsCompletedSuccessfully && post.IsCompletedSuccessfully)
            {
                answered++;
                (await post).Payload.ToArray().Should().Equal(Body, $"seed {seed}");
            }
            else
            {
                failed++;
                foreach (var task in new[] { get, post })
                {
                    task.IsCompleted.Should().BeTrue($"seed {seed}");
                    if (task.IsFaulted) { task.Exception.InnerException.Should().BeAssignableTo<CoapException>($"seed {seed}"); }
                }
            }
            cut.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests", $"seed {seed}");
        }
        (answered + failed).Should().Be(1000);
        answered.Should().BeGreaterThan(850, "a lost POST is not repeated in a new session");
    }

    [Fact]
    public void The_same_seed_gives_the_same_run()
    {
        foreach (var seed in new[] { 3, 71, 502 }) { Trace(seed).Should().Equal(Trace(seed), $"seed {seed}"); }
    }

    // The bytes differ because keys and random bytes do. Times, directions and lengths do not.
    private static List<(TimeSpan, Direction, int)> Trace(int seed)
    {
        using var cut = new Run(seed, loss: 0.2, duplication: 0.1);
        cut.Ask();
        return cut.Sent;
    }

    private sealed class Run : IDisposable
    {
        private readonly Wire _wire;
        private readonly LaneEnd _server;
        private readonly LaneEnd _client;
        private readonly PeerIdentity _peer;

        public Run(int seed, double loss, double duplication)
        {
            _wire = new Wire(new ManualClock(), seed)
            {
                Latency = TimeSpan.FromMilliseconds(30),
                Jitter = TimeSpan.FromMilliseconds(60),
                Loss = loss,
                Duplication = duplication,
            };
            _peer = PeerNames.OfServer(_wire.Server, "server");
            _server = LaneEnd.Server(
                _wire,
                static map =>
                {
                    map.At("who").Get(static (request, _) => new(Response.Content(request.Credentials!.PreSharedKeyIdentity!)));
                    map.At("echo").Post(static (request, _) => new(Response.Content(request.Payload, 42)));
                },
                new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = PskStore.From(Key), ComputesOnLane = true } });
            _client = LaneEnd.Client(_wire, new CoapClientSettings { Dtls = new DtlsClientSettings { PreSharedKey = Key, ComputesOnLane = true } });
        }

        public List<(TimeSpan, Direction, int)> Sent =>
            [.. new[] { Direction.ToServer, Direction.ToClient }.SelectMany(way => _wire.Sent(way).Select(one => (one.Time, way, one.Bytes.Length)))];

        public string Leftovers => string.Join(',', _client.Leftovers.Split(',')[..3]);

        public (Task<CoapResponse> Get, Task<CoapResponse> Post) Ask()
        {
            var get = _client.Send(new CoapRequest(RequestCode.Get, "/who"), _peer);
            var post = _client.Send(new CoapRequest(RequestCode.Post, "/echo") { Payload = Body }, _peer);
            _wire.RunUntilIdle(TimeSpan.FromMinutes(20));
            return (get, post);
        }

        public void Dispose()
        {
            _client.Dispose();
            _server.Dispose();
        }
    }
}
