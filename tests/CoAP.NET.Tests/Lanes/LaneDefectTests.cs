using System.Net;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.Testing;
using CoAP.Transports;

namespace CoAP.Tests.Lanes;

/// <summary>A transport that throws an unexpected exception simulates a defect in the library.</summary>
public sealed class LaneDefectTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(true), InlineData(false)]
    public async Task A_defect_ends_its_lane_with_one_log_line_and_leaves_the_process_alive(bool hasThread)
    {
        using var log = new TestLog();
        var parts = new EndpointParts(new CoapServerSettings { LoggerFactory = log }, null, [], CancellationToken.None);
        var lane = LaneMesh.Over(new BrokenTransport(), parts, out _);
        LaneRunner runner = hasThread ? new ThreadRunner(lane, "test") : new PooledRunner(lane);
        lane.RunBy(runner);
        var abandoned = new AbandonedWork();

        runner.Start();
        await runner.Awaiting(one => one.Ended.WaitAsync(Patience)).Should().ThrowAsync<NotSupportedException>();
        lane.Post(abandoned);

        abandoned.IsAbandoned.Should().BeTrue("the lane has ended");
        log.Exceptions.Should().ContainSingle().Which.Should().BeOfType<NotSupportedException>();
    }

    [Theory]
    [InlineData(false), InlineData(true)]
    public async Task A_defect_of_one_lane_ends_the_server_and_its_completion_tells_why(bool ofConnections)
    {
        var (network, time) = (new InMemoryNetwork(), new FaultyTime());
        using var log = new TestLog();
        await using var client = new CoapClient(new CoapClientSettings { Network = network });
        var server = new CoapServer(new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("server")], TimeProvider = time, LoggerFactory = log });
        server.Resources.At("hello").Get(static _ => Response.Content("hello"), HandlerMode.Inline);
        server.Start();
        var uri = $"{(ofConnections ? "coap+tcp" : "coap")}://server/hello";
        (await client.GetAsync(uri)).PayloadText.Should().Be("hello");

        time.FailsNext = true;
        _ = client.GetAsync(uri).AsTask();

        await server.Awaiting(one => one.Completion.WaitAsync(Patience)).Should().ThrowAsync<NotSupportedException>();
        log.Exceptions.Should().ContainSingle().Which.Should().BeOfType<NotSupportedException>();
    }

    private sealed class FaultyTime : TimeProvider
    {
        private int _failsNext;

        public bool FailsNext { set => Volatile.Write(ref _failsNext, value ? 1 : 0); }

        public override long GetTimestamp() =>
            Interlocked.Exchange(ref _failsNext, 0) == 1 ? throw new NotSupportedException("A defect.") : base.GetTimestamp();
    }

    private sealed class AbandonedWork : LaneWork
    {
        public bool IsAbandoned { get; private set; }

        public override void Run()
        {
        }

        public override void Abandon() => IsAbandoned = true;
    }

    private sealed class BrokenTransport : IDatagramTransport
    {
        public IReadOnlyList<IPEndPoint> LocalEndPoints { get; } = [new IPEndPoint(IPAddress.Loopback, 5683)];

        public TransportCounters Counters { get; } = new();

        public int Receive(IDatagramReceiver receiver) => throw new NotSupportedException("A defect.");

        public bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram) => true;

        public void Wait(TimeSpan timeout)
        {
        }

        public ValueTask WaitAsync() => default;

        public void Wake()
        {
        }

        public void Dispose()
        {
        }
    }
}
