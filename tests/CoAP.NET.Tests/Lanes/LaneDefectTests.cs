using System.Collections.Concurrent;
using System.Net;
using System.Runtime.CompilerServices;
using CoAP.Lanes;
using CoAP.Mesh;
using CoAP.TestSupport;
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

    [Fact]
    public async Task A_lane_whose_end_fails_too_closes_its_sockets_and_leaves_no_counters()
    {
        const long Mark = 123_456_789;
        var (time, transport) = (new FaultyTime(), new BrokenTransport());
        using var log = new TestLog();
        var parts = new EndpointParts(new CoapServerSettings { LoggerFactory = log, TimeProvider = time }, null, [], CancellationToken.None);
        var lane = LaneMesh.Over(transport, parts, out _);
        var runner = new ThreadRunner(lane, "test");
        lane.RunBy(runner);
        lane.Metrics[LaneCounters.DeduplicationWindow] = Mark;

        time.FailsAlways = true;
        runner.Start();
        await runner.Awaiting(one => one.Ended.WaitAsync(Patience)).Should().ThrowAsync<NotSupportedException>();

        transport.IsDisposed.Should().BeTrue();
        lane.HasEnded.Should().BeTrue();
        LaneCounters.Group.Each(LaneCounters.DeduplicationWindow).Should().NotContain(Mark);
    }

    [Fact]
    public void A_defect_that_nobody_awaits_leaves_no_unobserved_exception()
    {
        var unobserved = new ConcurrentQueue<Exception>();
        EventHandler<UnobservedTaskExceptionEventArgs> note = (_, failure) => unobserved.Enqueue(failure.Exception.Flatten());
        TaskScheduler.UnobservedTaskException += note;
        try
        {
            EndByDefect("A defect that nobody awaits.");
            for (var collection = 0; collection < 3; collection++)
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
            }
        }
        finally { TaskScheduler.UnobservedTaskException -= note; }

        unobserved.Should().NotContain(exception => exception.ToString().Contains("A defect that nobody awaits."));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void EndByDefect(string message)
    {
        var time = new FaultyTime { Message = message };
        var server = new CoapServer(new CoapServerSettings { Network = new InMemoryNetwork(), Endpoints = [ServerEndpoint.InMemory("server")], TimeProvider = time });
        server.Start();
        time.FailsNext = true;
        server.Dispose();
    }

    private sealed class FaultyTime : TimeProvider
    {
        private int _failsNext;

        public string Message { get; init; } = "A defect.";

        public bool FailsAlways { get; set; }

        public bool FailsNext { set => Volatile.Write(ref _failsNext, value ? 1 : 0); }

        public override long GetTimestamp() =>
            FailsAlways || Interlocked.Exchange(ref _failsNext, 0) == 1 ? throw new NotSupportedException(Message) : base.GetTimestamp();
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
        public bool IsDisposed { get; private set; }

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

        public void Dispose() => IsDisposed = true;
    }
}
