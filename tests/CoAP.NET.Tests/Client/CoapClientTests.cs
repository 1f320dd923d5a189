using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Client;

[Trait("Category", "Loopback")]
public sealed class CoapClientTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Socket _silent = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

    public CoapClientTests() => _silent.Bind(new IPEndPoint(IPAddress.Loopback, 0));

    private string SilentUri => $"coap://{_silent.LocalEndPoint}/nobody";

    public void Dispose() => _silent.Dispose();

    [Theory]
    [InlineData(LaneForm.Thread, 1), InlineData(LaneForm.Thread, 3), InlineData(LaneForm.ThreadPool, 1), InlineData(LaneForm.ThreadPool, 3)]
    public async Task Blocking_and_awaiting_calls_get_the_same_answers_in_every_form(LaneForm form, int lanes)
    {
        await using var server = StartServer(new() { LaneForm = form, Lanes = lanes });
        await using var client = new CoapClient(new() { LaneForm = form, Lanes = lanes });
        var uri = $"coap://{server.Endpoints[0].Address}";

        var awaited = await client.GetAsync($"{uri}/hello/async").AsTask().WaitAsync(Patience);
        var blocked = await OnThread(() => client.Get($"{uri}/hello/sync"));

        awaited.Should().BeEquivalentTo(new { Code = ResponseCode.Content, PayloadText = "hello async", ContentFormat = 0u });
        blocked.Should().BeEquivalentTo(new { Code = ResponseCode.Content, PayloadText = "hello sync", ContentFormat = 0u });
        awaited.RoundTripTime.Should().BePositive();
        awaited.Remote.Should().Be(PeerIdentity.From(server.Endpoints[0].Address));
    }

    [Theory]
    [InlineData(1), InlineData(2)]
    public async Task One_client_serves_many_callers(int lanes)
    {
        await using var server = StartServer(new() { Lanes = lanes });
        await using var client = new CoapClient(new() { Lanes = lanes, LocalPorts = 2 });
        var uri = $"coap://{server.Endpoints[0].Address}/hello/";

        var calls = Enumerable.Range(0, 200).Select(number => client.GetAsync($"{uri}{number}").AsTask()).ToList();
        var answers = await Task.WhenAll(calls).WaitAsync(Patience);

        answers.Select(answer => answer.PayloadText).Should().Equal(Enumerable.Range(0, 200).Select(number => $"hello {number}"));
    }

    [Fact]
    [Trait("RFC", "7252 4.4")]
    public async Task Requests_to_one_peer_are_spread_over_the_local_ports_that_were_asked_for()
    {
        await using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] });
        server.Resources.At("port").Get((request, _) => new(Response.Content($"{request.Peer.Port}")));
        server.Start();
        await using var client = new CoapClient(new() { LocalPorts = 3 });

        var ports = new List<string>();
        for (var i = 0; i < 6; i++) { ports.Add((await client.GetAsync($"coap://{server.Endpoints[0].Address}/port")).PayloadText); }

        ports.Distinct().Should().HaveCount(3);
        ports.Take(3).Should().Equal(ports.Skip(3));
    }

    [Fact]
    public async Task Each_method_has_its_call()
    {
        await using var server = StartServer(new());
        await using var client = new CoapClient();
        var uri = $"coap://{server.Endpoints[0].Address}/methods";

        CoapResponse[] answers =
        [
            await client.GetAsync(uri), await client.PostAsync(uri, "x"u8.ToArray()), await client.PutAsync(uri, "x"u8.ToArray()), await client.DeleteAsync(uri),
            await client.FetchAsync(uri, "x"u8.ToArray(), ContentFormats.TextPlain), await client.PatchAsync(uri, "x"u8.ToArray()), await client.IPatchAsync(uri, "x"u8.ToArray()),
        ];

        answers.Select(answer => answer.PayloadText).Should().Equal("0.01 0", "0.02 1", "0.03 1", "0.04 0", "0.05 1", "0.06 1", "0.07 1");
    }

    [Fact]
    public async Task A_closed_port_fails_the_request_at_once()
    {
        var closed = _silent.LocalEndPoint;
        _silent.Dispose();
        await using var client = new CoapClient();

        await client.Awaiting(one => one.GetAsync($"coap://{closed}/x").AsTask().WaitAsync(Patience)).Should().ThrowAsync<CoapTransportException>();
    }

    [Fact]
    public async Task Cancellation_ends_an_awaiting_and_a_blocked_call()
    {
        await using var client = new CoapClient();
        using var cancellation = new CancellationTokenSource();
        var awaited = client.GetAsync(SilentUri, cancellation.Token).AsTask();
        var blocked = OnThread(() => client.Get(SilentUri, cancellation.Token));

        await cancellation.CancelAsync();

        await awaited.Awaiting(call => call.WaitAsync(Patience)).Should().ThrowAsync<OperationCanceledException>();
        await blocked.Awaiting(call => call.WaitAsync(Patience)).Should().ThrowAsync<OperationCanceledException>();
    }

    [Theory]
    [InlineData(LaneForm.Thread), InlineData(LaneForm.ThreadPool)]
    public async Task Disposal_wakes_everybody_who_waits(LaneForm form)
    {
        var client = new CoapClient(new() { LaneForm = form });
        var calls = Enumerable.Range(0, 5).Select(_ => client.GetAsync(SilentUri).AsTask()).ToList();
        calls.AddRange(Enumerable.Range(0, 3).Select(_ => OnThread(() => client.Get(SilentUri))));
        await _silent.ReceiveAsync(new byte[100]).WaitAsync(Patience);

        await client.DisposeAsync().AsTask().WaitAsync(Patience);

        foreach (var call in calls)
        {
            (await call.Awaiting(one => one.WaitAsync(Patience)).Should().ThrowAsync<Exception>())
                .Which.Should().Match(error => error is CoapTransportException || error is ObjectDisposedException);
        }
        client.Invoking(one => one.Get(SilentUri)).Should().Throw<ObjectDisposedException>();
    }

    [Fact]
    public async Task A_continuation_may_call_again_and_block()
    {
        await using var server = StartServer(new());
        await using var client = new CoapClient();
        var uri = $"coap://{server.Endpoints[0].Address}/hello/";

        var first = client.GetAsync($"{uri}1").AsTask();
        var second = first.ContinueWith(_ => client.Get($"{uri}2"), CancellationToken.None, TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);

        (await second.WaitAsync(Patience)).PayloadText.Should().Be("hello 2");
    }

    [Theory]
    [InlineData("/relative"), InlineData("http://127.0.0.1/"), InlineData("coap://")]
    public async Task A_URI_that_is_none_of_ours_fails_at_the_call(string uri)
    {
        await using var client = new CoapClient();

        (await client.Awaiting(one => one.GetAsync(uri).AsTask()).Should().ThrowAsync<Exception>())
            .Which.Should().Match(error => error is ArgumentException || error is FormatException);
    }

    private static CoapServer StartServer(CoapServerSettings settings)
    {
        var server = new CoapServer(settings with { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] });
        server.Resources.At("hello/{who}").Get(request => Response.Content($"hello {request["who"]}"));
        var methods = server.Resources.At("methods");
        for (byte method = 1; method <= 7; method++)
        {
            methods.On(new CoapCode(method), request => Response.Content($"{request.Method} {request.Payload.Length}"));
        }
        server.Start();
        return server;
    }

    // A thread of its own: callers that block shall not hold the pool's threads.
    private static Task<T> OnThread<T>(Func<T> call) =>
        Task.Factory.StartNew(call, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).WaitAsync(Patience);
}
