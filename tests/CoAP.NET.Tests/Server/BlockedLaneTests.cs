using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Server;

/// <summary>Servers that stop while user code blocks one of their lanes.</summary>
[Trait("Category", "Loopback")]
public sealed class BlockedLaneTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly ManualResetEventSlim _mayReturn = new();
    private readonly TaskCompletionSource _entered = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TestLog _log = new();

    public void Dispose() => _mayReturn.Dispose();

    [Theory]
    [InlineData(ServerMode.Async, false, false), InlineData(ServerMode.Async, true, false), InlineData(ServerMode.Sync, false, false)]
    [InlineData(ServerMode.Sync, true, false), InlineData(ServerMode.Async, false, true), InlineData(ServerMode.Async, true, true)]
    public async Task End_in_bounded_time(ServerMode mode, bool isStream, bool isDisposed)
    {
        var any = new IPEndPoint(IPAddress.Loopback, 0);
        var server = new CoapServer(new()
        {
            Mode = mode,
            Endpoints = [isStream ? ServerEndpoint.Tcp(any) : ServerEndpoint.Udp(any)],
            ShutdownTimeout = TimeSpan.FromMilliseconds(100),
            LoggerFactory = _log,
        });
        server.Resources.At("blocked").Get(Block, HandlerMode.Inline);
        server.Start();
        using var peer = Ask(server.Endpoints[0].Address, isStream);
        await _entered.Task.WaitAsync(Patience);

        var stop = isDisposed ? Task.Run(server.Dispose) : server.StopAsync();

        await stop.Invoking(task => task.WaitAsync(Patience)).Should().NotThrowAsync();
        _log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().Contain("/blocked");
        _mayReturn.Set();
    }

    private static Socket Ask(IPEndPoint server, bool isStream)
    {
        var peer = new Socket(server.AddressFamily, isStream ? SocketType.Stream : SocketType.Dgram, isStream ? ProtocolType.Tcp : ProtocolType.Udp);
        peer.Connect(server);
        peer.Send(Convert.FromHexString((isStream ? "00E1" + "8001" : "40010001") + "B7626C6F636B6564"));    // GET /blocked
        return peer;
    }

    private CoapResponse Block(IncomingRequest request)
    {
        _entered.TrySetResult();
        _mayReturn.Wait(Patience);
        return Response.Changed;
    }
}
