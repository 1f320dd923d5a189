using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Server;

/// <summary>What a handler learns when the sender of a plain datagram is gone.</summary>
[Trait("Category", "Loopback"), Collection("Loopback")]
public sealed class GonePeerTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly byte[] GetSlow = [0x40, 0x01, 0x12, 0x34, 0xb4, 0x73, 0x6c, 0x6f, 0x77];
    private static readonly CoapServerSettings Settings = new() { Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))] };

    private readonly TaskCompletionSource<IncomingRequest> _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _leaves = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _fired = new(TaskCreationOptions.RunContinuationsAsynchronously);

    [Fact]
    public async Task A_closed_port_aborts_the_request_when_its_acknowledgement_comes_back()
    {
        if (!OperatingSystem.IsLinux()) { return; }
        await using var server = Start();
        using (var device = Send(server)) { await _entered.Task.WaitAsync(Patience); }
        var request = await _entered.Task;
        request.RequestAborted.IsCancellationRequested.Should().BeFalse();

        request.Acknowledge();

        await _fired.Task.WaitAsync(Patience);
        request.RequestAborted.IsCancellationRequested.Should().BeTrue();
        _leaves.SetResult();
    }

    [Fact]
    public async Task A_peer_that_stays_aborts_nothing_and_the_token_outlives_the_request()
    {
        await using var server = Start();
        using var device = Send(server);
        var request = await _entered.Task.WaitAsync(Patience);
        request.RequestAborted.Should().Be(request.RequestAborted);

        _leaves.SetResult();
        await device.ReceiveAsync(new byte[100]);

        request.RequestAborted.IsCancellationRequested.Should().BeFalse();
    }

    [Fact]
    public async Task The_end_of_the_server_aborts_the_request()
    {
        var server = new CoapServer(Settings with { ShutdownTimeout = TimeSpan.FromMilliseconds(1) });
        Map(server);
        using var device = Send(server);
        await _entered.Task.WaitAsync(Patience);

        var end = server.DisposeAsync();

        await _fired.Task.WaitAsync(Patience);
        _leaves.SetResult();
        await end;
    }

    // Otherwise a slow machine could acknowledge the request while the port is still open.
    private CoapServer Start()
    {
        var server = new CoapServer(Settings with { AcknowledgeAfter = TimeSpan.FromHours(1) });
        Map(server);
        return server;
    }

    private void Map(CoapServer server)
    {
        server.Resources.At("slow").Get(async (request, _) =>
        {
            using var registration = request.RequestAborted.Register(() => _fired.TrySetResult());
            _entered.TrySetResult(request);
            await _leaves.Task;
            return Response.Changed;
        });
        server.Start();
    }

    private static Socket Send(CoapServer server)
    {
        var device = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        device.Connect(server.Endpoints[0].Address);
        device.Send(GetSlow);
        return device;
    }
}
