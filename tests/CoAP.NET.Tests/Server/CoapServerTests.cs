using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Server;

[Trait("Category", "Loopback")]
public sealed class CoapServerTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly CoapServerSettings Settings = new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] };

    [Fact]
    public async Task RunAsync_serves_until_its_token_fires()
    {
        await using var server = Make();
        using var stop = new CancellationTokenSource();

        var run = server.RunAsync(stop.Token);
        (await Ask(server, "hello")).Code.Should().Be(ResponseCode.Content);
        run.IsCompleted.Should().BeFalse();
        await stop.CancelAsync();

        await run.WaitAsync(Patience);
        server.Completion.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public async Task Run_blocks_its_thread_until_its_token_fires()
    {
        await using var server = Make();
        using var stop = new CancellationTokenSource();
        server.Start();

        var run = Task.Factory.StartNew(() => server.Run(stop.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        (await Ask(server, "hello")).Code.Should().Be(ResponseCode.Content);
        run.IsCompleted.Should().BeFalse();
        await stop.CancelAsync();

        await run.WaitAsync(Patience);
    }

    [Fact]
    public async Task An_address_in_use_fails_the_start_and_is_named()
    {
        await using var first = Make();
        first.Start();
        await using var second = new CoapServer(Settings with { Endpoints = first.Endpoints });

        var error = second.Invoking(server => server.Start()).Should().Throw<SocketException>().Which;

        error.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse);
        error.Message.Should().Contain($"UDP endpoint {first.Endpoints[0].Address}");
    }

    [Theory]
    [InlineData(ServerMode.Async), InlineData(ServerMode.Sync)]
    public async Task A_handler_that_disposes_of_its_own_server_gets_an_exception(ServerMode mode)
    {
        await using var server = new CoapServer(new() { Mode = mode, Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))] });
        var thrown = new TaskCompletionSource<Exception?>(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Resources.At("end").Get(
            _ =>
            {
                try
                {
                    server.Dispose();
                    thrown.SetResult(null);
                }
                catch (InvalidOperationException exception) { thrown.SetResult(exception); }
                return Response.Changed;
            },
            HandlerMode.Inline);
        server.Start();
        await using var client = new CoapClient();

        _ = client.GetAsync($"coap+tcp://{server.Endpoints[0].Address}/end").AsTask();

        (await thrown.Task.WaitAsync(TimeSpan.FromMinutes(1)))!.Message.Should().Contain("StopAsync");
    }

    [Fact]
    public async Task A_stopped_server_cannot_start_again()
    {
        await using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] });
        server.Start();
        await server.StopAsync();

        server.Invoking(one => one.Start()).Should().Throw<InvalidOperationException>().WithMessage("*stopped*new one*");
        server.Invoking(one => one.Run()).Should().Throw<InvalidOperationException>().WithMessage("*stopped*");
        await server.Awaiting(one => one.RunAsync()).Should().ThrowAsync<InvalidOperationException>().WithMessage("*stopped*");
        await server.DisposeAsync();
        await server.Awaiting(one => one.RunAsync()).Should().ThrowAsync<ObjectDisposedException>();
    }

    [Fact]
    public async Task A_server_runs_once_at_a_time()
    {
        await using var server = Make();
        using var stop = new CancellationTokenSource();
        var run = server.RunAsync(stop.Token);

        server.Invoking(one => one.Start()).Should().Throw<InvalidOperationException>().WithMessage("*already started*");
        server.Invoking(one => one.Run()).Should().Throw<InvalidOperationException>().WithMessage("*already running*");
        await server.Awaiting(one => one.RunAsync()).Should().ThrowAsync<InvalidOperationException>().WithMessage("*already running*");
        await stop.CancelAsync();
        await run.WaitAsync(Patience);
    }

    [Fact]
    public async Task A_disposed_server_takes_no_authorizer()
    {
        var server = Make();
        await server.DisposeAsync();

        server.Invoking(one => one.Authorize(_ => AuthorizationDecision.Allow())).Should().Throw<ObjectDisposedException>();
    }

    [Fact]
    public async Task A_server_that_its_token_has_stopped_cannot_run_again()
    {
        await using var server = new CoapServer(new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] });
        server.Run(new CancellationToken(canceled: true));

        server.Invoking(one => one.Run()).Should().Throw<InvalidOperationException>().WithMessage("*stopped*new one*");
    }

    [Fact]
    public async Task A_client_whose_port_is_in_use_fails_as_its_calls_do()
    {
        using var taken = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        taken.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        await using var client = new CoapClient(new() { LocalEndPoint = (IPEndPoint)taken.LocalEndPoint! });

        (await client.Awaiting(one => one.GetAsync("coap://127.0.0.1/x").AsTask()).Should().ThrowAsync<CoapTransportException>())
            .WithInnerException<SocketException>();
    }

    [Fact]
    public async Task After_the_end_the_port_is_free()
    {
        var first = Make();
        first.Start();
        var endpoints = first.Endpoints;
        await first.DisposeAsync();

        await using var second = Make(Settings with { Endpoints = endpoints });
        second.Start();

        (await Ask(second, "hello")).Code.Should().Be(ResponseCode.Content);
    }

    [Fact]
    public async Task The_end_answers_what_was_accepted()
    {
        await using var server = Make();
        var entered = new TaskCompletionSource();
        var gate = new TaskCompletionSource();
        server.Resources.At("late").Get(async (_, _) =>
        {
            entered.SetResult();
            await gate.Task;
            return Response.Changed;
        });
        server.Start();
        var call = Ask(server, "late");
        await entered.Task.WaitAsync(Patience);

        var stop = server.StopAsync();
        stop.IsCompleted.Should().BeFalse();
        gate.SetResult();

        (await call).Code.Should().Be(ResponseCode.Changed);
        await stop.WaitAsync(Patience);
    }

    [Fact]
    public async Task The_end_does_not_wait_for_ever()
    {
        await using var server = Make(Settings with { ShutdownTimeout = TimeSpan.FromMilliseconds(50) });
        var entered = new TaskCompletionSource();
        server.Resources.At("never").Get(async (_, cancellationToken) =>
        {
            entered.SetResult();
            await new TaskCompletionSource().Task.WaitAsync(cancellationToken);
            return Response.Changed;
        });
        server.Start();
        var call = Ask(server, "never");
        await entered.Task.WaitAsync(Patience);

        await server.StopAsync().WaitAsync(Patience);

        (await call.ContinueWith(one => one.IsCompletedSuccessfully ? one.Result.Code : default, TaskScheduler.Default)).Should().Be(ResponseCode.ServiceUnavailable);
    }

    [Fact]
    public async Task Steps_surround_the_handlers_the_first_one_outermost()
    {
        var order = new List<string>();
        await using var server = Make();
        RequestDelegate Around(string name, RequestDelegate next) => async (request, cancellationToken) =>
        {
            order.Add($"{name} in");
            var response = await next(request, cancellationToken);
            order.Add($"{name} out");
            return response;
        };
        server.Use(next => Around("first", next)).Use(next => Around("second", next));
        server.Start();

        (await Ask(server, "hello")).Code.Should().Be(ResponseCode.Content);

        order.Should().Equal("first in", "second in", "second out", "first out");
        server.Invoking(one => one.Use(next => next)).Should().Throw<InvalidOperationException>();
    }

    [Fact, Trait("RFC", "7252 5.9.2.2")]
    public async Task A_step_may_refuse_by_the_peers_identity_and_sees_unmapped_paths()
    {
        var peers = new List<PeerIdentity>();
        await using var server = Make();
        server.Use(_ => (request, _) =>
        {
            peers.Add(request.Peer);
            throw new CoapResponseException(ResponseCode.Unauthorized);
        });
        server.Start();

        (await Ask(server, "hello")).Code.Should().Be(ResponseCode.Unauthorized);
        (await Ask(server, "nowhere")).Code.Should().Be(ResponseCode.Unauthorized);
        peers.Should().HaveCount(2).And.OnlyContain(peer => peer.IsIP && peer.Port > 0);
    }

    [Fact]
    public async Task A_server_asks_a_client_with_resources_over_the_association_that_the_client_opened()
    {
        await using var server = Make();
        server.Resources.At("register").Post(async (request, cancellationToken) =>
        {
            var state = await request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/state"), cancellationToken);
            var again = await server.OpenChannel(request.Peer).SendAsync(new CoapRequest(RequestCode.Get, "/state"), cancellationToken);
            return Response.Content($"{state.PayloadText} {again.PayloadText}");
        });
        server.Start();
        await using var device = new CoapClient();
        var states = 0;
        device.Resources.At("state").Get(_ => Response.Content($"{++states}"));

        var answer = await device.PostAsync($"coap://{server.Endpoints[0].Address}/register", default).AsTask().WaitAsync(Patience);

        answer.PayloadText.Should().Be("1 2");
    }

    private static CoapServer Make(CoapServerSettings? settings = null)
    {
        var server = new CoapServer(settings ?? Settings);
        server.Resources.At("hello").Get(_ => Response.Content("hello"));
        return server;
    }

    private static async Task<CoapResponse> Ask(CoapServer server, string path)
    {
        await using var client = new CoapClient();
        return await client.GetAsync($"coap://{server.Endpoints[0].Address}/{path}").AsTask().WaitAsync(Patience);
    }
}
