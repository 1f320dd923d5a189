using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Resources;

[Trait("Category", "Loopback")]
public sealed class WaitingHandlerTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);
    private static readonly byte[] Csm = [0x00, 0xE1];
    private static readonly byte[] LargeCsm = Convert.FromHexString("50E124FFFFFFFF");     // Max-Message-Size 4,294,967,295
    private static readonly byte[] GetBack = Convert.FromHexString("5001B46261636B");
    private static readonly byte[] GetWait = Convert.FromHexString("5001B477616974");

    private readonly ManualResetEventSlim _isAnswered = new();

    public void Dispose() => _isAnswered.Dispose();

    [Fact]
    public async Task A_handler_that_waits_on_its_connections_thread_does_not_keep_a_response_from_who_asked_for_it()
    {
        await using var server = new CoapServer(new() { Mode = ServerMode.Sync, Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))] });
        var wasInTime = false;
        server.Resources.At("back").Get((request, end) =>
        {
            _ = AskBackAsync(request.Channel, end);
            return new(Response.Changed);
        });
        server.Resources.At("wait").Get((_, end) =>
        {
            wasInTime = _isAnswered.Wait(Patience, end);
            return new(Response.NotFound);
        });
        server.Start();
        using var peer = new TcpClient();
        await peer.ConnectAsync(server.Endpoints[0].Address);
        var stream = peer.GetStream();

        await stream.WriteAsync((byte[])[.. Csm, .. GetBack]);
        var token = await ReadRequestAsync(stream);
        // The response and the request whose handler waits for it come in one piece.
        await stream.WriteAsync((byte[])[(byte)token.Length, 0x45, .. token, .. GetWait]);
        while (await ReadCodeAsync(stream) != 0x84) { }

        wasInTime.Should().BeTrue();
    }

    [Fact]
    public async Task An_async_call_does_not_hold_its_caller_while_the_peer_reads_nothing()
    {
        var settings = new CoapServerSettings { Mode = ServerMode.Sync, Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))] };
        await using var server = new CoapServer(settings with { ShutdownTimeout = TimeSpan.FromMilliseconds(100), Tcp = new() { SendTimeout = TimeSpan.FromMinutes(1) } });
        var channel = new TaskCompletionSource<IChannel>(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Resources.At("back").Get((request, _) =>
        {
            channel.TrySetResult(request.Channel);
            return new(Response.Changed);
        });
        server.Start();
        using var peer = new TcpClient { ReceiveBufferSize = 4096 };
        await peer.ConnectAsync(server.Endpoints[0].Address);

        await peer.GetStream().WriteAsync((byte[])[.. LargeCsm, .. GetBack]);
        var asked = await channel.Task.WaitAsync(Patience);
        var request = new CoapRequest(RequestCode.Put, "/peer") { Payload = new byte[32 << 20] };
        var called = Task.Run(() => { _ = asked.SendAsync(request).AsTask(); });

        await called.Invoking(call => call.WaitAsync(Patience)).Should().NotThrowAsync();
    }

    private async Task AskBackAsync(IChannel channel, CancellationToken cancellationToken)
    {
        await channel.SendAsync(new CoapRequest(RequestCode.Get, "/peer"), cancellationToken);
        _isAnswered.Set();
    }

    private static async Task<byte[]> ReadRequestAsync(NetworkStream stream)
    {
        while (true)
        {
            var (code, token) = await ReadAsync(stream);
            if (code == 0x01) { return token; }
        }
    }

    private static async Task<byte> ReadCodeAsync(NetworkStream stream) => (await ReadAsync(stream)).Code;

    // All messages here are shorter than 13 bytes.
    private static async Task<(byte Code, byte[] Token)> ReadAsync(NetworkStream stream)
    {
        var header = new byte[2];
        await stream.ReadExactlyAsync(header).AsTask().WaitAsync(Patience * 2);
        var token = new byte[header[0] & 0x0F];
        await stream.ReadExactlyAsync(token);
        await stream.ReadExactlyAsync(new byte[header[0] >> 4]);
        return (header[1], token);
    }
}
