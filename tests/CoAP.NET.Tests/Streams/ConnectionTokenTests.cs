using System.Reflection;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Streams;

/// <summary>What handlers, steps and callbacks see of the cancellation token of a connection, and what it costs.</summary>
public sealed class ConnectionTokenTests : CancelableHandler
{
    [Fact]
    public async Task Steps_and_the_property_have_the_same_token()
    {
        CancellationToken ofStep = default;
        using var peer = await EnterAsync(ServerMode.Async, steps: next => (request, cancellationToken) =>
        {
            ofStep = cancellationToken;
            return next(request, cancellationToken);
        });
        var request = await _entered.Task;

        request.RequestAborted.Should().Be(ofStep);
        (ofStep.CanBeCanceled, ofStep.IsCancellationRequested).Should().Be((true, false));
        peer.Send(Abort);
        await _fired.Task.WaitAsync(RawPeer.Patience);

        (ofStep.IsCancellationRequested, request.RequestAborted.IsCancellationRequested).Should().Be((true, true));
    }

    [Fact]
    public async Task A_callback_that_blocks_stops_neither_the_lane_nor_others()
    {
        using var gate = new ManualResetEventSlim();
        using var peer = await EnterAsync(ServerMode.AsyncSingle);
        var onLane = Source<bool>();
        (await _entered.Task).RequestAborted.Register(() =>
        {
            onLane.SetResult(Lane.IsAnyOwnedByCaller);
            gate.Wait();
        });

        peer.Send(Abort);
        (await onLane.Task.WaitAsync(RawPeer.Patience)).Should().BeFalse();
        using var other = await _host!.OpenAsync();
        other.Send(GetHi);

        (await other.ReadAsync()).Should().Be(Hi);
        gate.Set();
    }

    [Fact]
    public async Task A_callback_that_throws_is_logged()
    {
        using var peer = await EnterAsync(ServerMode.Async);
        (await _entered.Task).RequestAborted.Register(static () => throw new FormatException("as told"));

        peer.Send(Abort);

        (await _log.FirstError.WaitAsync(RawPeer.Patience)).Should().StartWith("A callback failed");
    }

    [Fact]
    public async Task A_callback_that_throws_does_not_stop_the_stop_of_the_server()
    {
        using var peer = await EnterAsync(ServerMode.Async);
        (await _entered.Task).RequestAborted.Register(static () => throw new FormatException("as told"));

        await _time.PassAsync(_host!.Server.StopAsync());

        _fired.Task.IsCompleted.Should().BeTrue();
        // The simulated time may outrun the threads of the lanes, which adds a line about a lane that has not ended.
        _log.Lines(LogLevel.Error).Should().ContainSingle(static line => line.StartsWith("A callback failed", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_canceled_handler_writes_no_log_line()
    {
        using var peer = await EnterAsync(ServerMode.Async, handler: static async (_, cancellationToken) =>
        {
            await Source().Task.WaitAsync(cancellationToken);
            return Response.Changed;
        });

        peer.Send(Abort);
        await _answered.Task.WaitAsync(RawPeer.Patience);
        await EndsAsync();

        _log.Lines(LogLevel.Warning).Should().BeEmpty();
    }

    [Fact]
    public async Task A_handler_that_reads_an_upload_is_canceled()
    {
        var (fired, entered) = (Source(), Source());
        var host = Start(ServerMode.Async);
        host.Server.Resources.At("up").StreamsBody().Put(async (request, cancellationToken) =>
        {
            using var registration = cancellationToken.Register(fired.SetResult);
            entered.SetResult();
            await fired.Task;
            return Response.Changed;
        });
        using var peer = await host.OpenAsync();

        peer.Send($"e0 00fa 03 b2 7570 d1 03 0d ff {string.Concat(Enumerable.Repeat("78", 512))}");      // PUT up, Block1 0/1/512
        await entered.Task.WaitAsync(RawPeer.Patience);
        peer.Send(Abort);

        await fired.Task.WaitAsync(RawPeer.Patience);
    }

    [Fact]
    public async Task Requests_on_behalf_of_observers_do_not_end_with_the_connection_of_the_first_one()
    {
        var calls = 0;
        var tokens = new List<CancellationToken>();
        var host = Start(ServerMode.Async);
        var resource = host.Server.Resources.At("obs").Observable();
        resource.Get((_, cancellationToken) =>
        {
            lock (tokens) { tokens.Add(cancellationToken); }
            return new(Response.Content($"{Interlocked.Increment(ref calls)}"));
        });
        var first = await host.OpenAsync();
        first.Send("51 01 01 60 53 6f6273");
        await first.ReadAsync();
        using var second = await host.OpenAsync();
        second.Send("51 01 02 60 53 6f6273");
        await second.ReadAsync();
        var ended = Source();
        tokens[0].Register(ended.SetResult);
        first.Send(Abort);
        await ended.Task.WaitAsync(RawPeer.Patience);

        resource.NotifyChanged();
        (await second.ReadAsync()).Should().EndWith("33");

        (tokens[0].IsCancellationRequested, tokens[1].IsCancellationRequested, tokens[2].IsCancellationRequested).Should().Be((true, false, false));
        first.Dispose();
    }

    [Fact]
    public async Task An_ended_connection_leaves_no_state()
    {
        CancellationToken last = default;
        var host = Start(ServerMode.Async, steps: next => (request, cancellationToken) =>
        {
            last = cancellationToken;
            return next(request, cancellationToken);
        });

        var sources = new List<WeakReference>();
        for (var i = 0; i < 20; i++) { sources.Add(await ComeAndGoAsync(host, () => SourceOf(last))); }
        using var other = await host.OpenAsync();
        other.Send(GetHi);
        await other.ReadAsync();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();

        sources.Count(static source => source.IsAlive).Should().BeLessThan(4, "the lane may still hold the last ones in its buffers");
    }

    [Fact]
    public void The_token_of_a_connection_costs_at_most_150_bytes()
    {
        const int Count = 1000;
        using var stopping = new CancellationTokenSource();
        var runs = new List<PeerToken[]>();     // all of them stay, because a registration that ends leaves its memory to the next one
        PeerToken[] Prepare()
        {
            runs.Add(new PeerToken[Count]);
            return runs[^1];
        }

        var allocated = Allocations.Of(Prepare, tokens =>
        {
            for (var i = 0; i < Count; i++) { tokens[i] = new PeerToken(stopping.Token); }
        });

        (allocated / (double)Count).Should().BeLessThanOrEqualTo(150);
        foreach (var token in runs.SelectMany(static tokens => tokens)) { token.Leave(); }
    }

    [Fact]
    public void The_argument_for_a_datagram_is_the_token_of_the_endpoint()
    {
        var wire = new Wire(_time);
        using var client = ScriptedPeer.Client(wire);
        CancellationToken seen = default, property = default;
        using var server = LaneEnd.Server(wire, map => map.At("a").Get((request, cancellationToken) =>
        {
            (seen, property) = (cancellationToken, request.RequestAborted);
            return new(Response.Changed);
        }));

        client.Send("CON [0x0001] GET /a (Token 0x01)");
        client.Expect("ACK [0x0001] 2.04 Changed (Token 0x01)");

        (seen == server.Lane.Stopping, property == seen).Should().Be((true, false), "a plain request gets its own token only if it asks for it");
        (property.CanBeCanceled, property.IsCancellationRequested).Should().Be((true, false));
    }

    private static async Task<WeakReference> ComeAndGoAsync(StreamHost host, Func<WeakReference> getSource)
    {
        using var peer = await host.OpenAsync();
        peer.Send(GetHi);
        await peer.ReadAsync();
        var source = getSource();
        peer.Send(Abort);
        (await peer.ReadAsync()).Should().BeNull();
        return source;
    }

    private static WeakReference SourceOf(CancellationToken token) =>
        new(typeof(CancellationToken).GetField("_source", BindingFlags.Instance | BindingFlags.NonPublic)!.GetValue(token));
}
