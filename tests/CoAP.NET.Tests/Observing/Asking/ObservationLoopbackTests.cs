using System.Net;

namespace CoAP.Tests.Observing;

/// <summary>Our client observes our server over sockets, sync and async, and the server observes the client.</summary>
[Trait("Category", "Loopback")]
public sealed class ObservationLoopbackTests : IAsyncDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly CoapServer _server = new(new CoapServerSettings
    {
        Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0)), ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))],
    });

    private readonly CoapClient _client = new();
    private readonly TaskCompletionSource<string> _observed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Resource _counter;
    private int _count;

    public ObservationLoopbackTests()
    {
        _counter = _server.Resources.At("count").Observable().Get(_ => new CoapResponse(ResponseCode.Content) { Payload = new[] { (byte)Volatile.Read(ref _count) } });
        _server.Resources.At("observe-me").Post(ObserveCallerAsync);
        _server.Start();
    }

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _server.DisposeAsync();
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task An_async_loop_reads_what_changes_and_leaving_it_is_seen_by_the_server(string scheme)
    {
        var read = 0;
        await foreach (var notification in _client.ObserveAsync(UriOf(scheme)))
        {
            notification.Response.Payload.Span[0].Should().Be((byte)_count);
            if (++read == 20) { break; }
            Change();
        }

        await UntilNobodyObserves();
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_blocking_loop_reads_what_changes_and_deregisters_when_it_ends(string scheme)
    {
        var read = 0;
        foreach (var notification in _client.Observe(UriOf(scheme)))
        {
            notification.Response.Payload.Span[0].Should().Be((byte)_count);
            if (++read == 20) { break; }
            Change();
        }

        await UntilNobodyObserves();
    }

    [Theory]
    [InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_server_observes_a_client_over_the_association_that_the_client_has_opened(string scheme)
    {
        _client.Resources.At("state").Observable().Get(_ => new CoapResponse(ResponseCode.Content) { Payload = "on"u8.ToArray() });

        (await _client.PostAsync(UriOf(scheme).Replace("/count", "/observe-me", StringComparison.Ordinal), default)).EnsureSuccess();

        (await _observed.Task.WaitAsync(Patience)).Should().Be("on");
    }

    private string UriOf(string scheme)
    {
        var endpoint = _server.Endpoints.Single(one => one.IsTcp == (scheme == "coap+tcp"));
        return $"{scheme}://127.0.0.1:{endpoint.Address.Port}/count";
    }

    private void Change()
    {
        Interlocked.Increment(ref _count);
        _counter.NotifyChanged();
    }

    private ValueTask<CoapResponse> ObserveCallerAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        _ = ReadAsync(request.Channel);
        return new(Response.Changed);
    }

    private async Task ReadAsync(IChannel device)
    {
        await foreach (var notification in device.ObserveAsync(new CoapRequest(RequestCode.Get, "/state")))
        {
            _observed.TrySetResult(notification.Response.PayloadText);
            break;
        }
    }

    // The last request is on its way when the loop has been left.
    private async Task UntilNobodyObserves()
    {
        using var patience = new CancellationTokenSource(Patience);
        while (_counter.ObserverCount > 0 && !patience.IsCancellationRequested) { await _client.GetAsync(UriOf("coap")); }
        _counter.ObserverCount.Should().Be(0);
    }
}
