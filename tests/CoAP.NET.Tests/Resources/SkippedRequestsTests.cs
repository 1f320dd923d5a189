using CoAP.Lanes;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Resources;

/// <summary>Requests that end while they wait for a handler thread.</summary>
public sealed class SkippedRequestsTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly InMemoryNetwork _network = new();
    private readonly ManualResetEventSlim _gate = new();
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<IncomingRequest> _waiting = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TestLog _log = new();
    private int _calls;

    public void Dispose() => _gate.Dispose();

    [Fact]
    public async Task A_request_whose_connection_has_ended_does_not_reach_its_buffered_handler()
    {
        var skipped = LaneCounters.SkippedRequests.Sum();
        await using var server = Started();
        await using var staying = new CoapClient(new() { Network = _network });
        var blocked = staying.GetAsync("coap+tcp://server/block").AsTask();
        await _entered.Task.WaitAsync(Patience);

        await using (var leaving = new CoapClient(new() { Network = _network }))
        {
            _ = leaving.GetAsync("coap+tcp://server/count").AsTask();
            await _waiting.Task.WaitAsync(Patience);
        }
        await EndOf((await _waiting.Task).RequestAborted);
        _gate.Set();
        await blocked.WaitAsync(Patience);
        (await staying.GetAsync("coap+tcp://server/count")).EnsureSuccess();

        _calls.Should().Be(1);
        _log.Lines(LogLevel.Warning).Should().BeEmpty();
        while (LaneCounters.SkippedRequests.Sum() == skipped) { await Task.Yield(); }
    }

    private static Task EndOf(CancellationToken token)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        token.Register(ended.SetResult);
        return ended.Task.WaitAsync(Patience, CancellationToken.None);
    }

    private CoapServer Started()
    {
        var server = new CoapServer(new()
        {
            Network = _network,
            Endpoints = [ServerEndpoint.InMemory("server")],
            HandlerThreads = 1,
            LoggerFactory = _log,
            Links = [MeshLink.Filter(MeshArrow.HandlerRequests, See)],
        });
        server.Resources.At("block").Get(_ => Block(), HandlerMode.Buffered);
        server.Resources.At("count").Get(_ => Count(), HandlerMode.Buffered);
        server.Start();
        return server;
    }

    private bool See(IncomingRequest request)
    {
        if (request.Path == "/count") { _waiting.TrySetResult(request); }
        return true;
    }

    private CoapResponse Block()
    {
        _entered.TrySetResult();
        _gate.Wait(Patience);
        return Response.Changed;
    }

    private CoapResponse Count()
    {
        _calls++;
        return Response.Changed;
    }
}
