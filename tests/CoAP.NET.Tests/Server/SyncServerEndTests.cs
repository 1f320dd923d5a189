using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;

namespace CoAP.Tests.Server;

[Trait("Category", "Loopback")]
public sealed class SyncServerEndTests
{
    [Fact]
    public async Task A_peer_that_reads_no_answer_does_not_hold_up_the_end_of_the_server()
    {
        var settings = new CoapServerSettings
        {
            Mode = ServerMode.Sync,
            Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))],
            ShutdownTimeout = TimeSpan.FromMilliseconds(100),
            Tcp = new TcpSettings { SendTimeout = TimeSpan.FromMinutes(1) },
        };
        await using var server = new CoapServer(settings);
        var isAsked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        server.Resources.At("a").Get((_, _) => { isAsked.TrySetResult(); return new(Response.Content(new byte[32 << 20], 42)); });
        server.Start();
        using var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 4096 };
        peer.Connect(server.Endpoints[0].Address);

        peer.Send(Convert.FromHexString("50E124FFFFFFFF" + "2001B161"));    // CSM with Max-Message-Size 4,294,967,295; GET /a
        await isAsked.Task.WaitAsync(TimeSpan.FromMinutes(1));
        var end = server.StopAsync();

        await end.Invoking(task => task.WaitAsync(TimeSpan.FromMinutes(1))).Should().NotThrowAsync();
    }

    [Fact]
    public async Task A_streamed_answer_is_closed_if_its_connection_has_ended()
    {
        var settings = new CoapServerSettings { Mode = ServerMode.Sync, Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))] };
        await using var server = new CoapServer(settings);
        var isAsked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var mayAnswer = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var body = new WatchedStream();
        server.Resources.At("a").Get(async (_, _) =>
        {
            isAsked.TrySetResult();
            await mayAnswer.Task;
            return Response.Content(body, ContentFormats.OctetStream);
        });
        server.Start();
        using (var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { LingerState = new LingerOption(true, 0) })
        {
            peer.Connect(server.Endpoints[0].Address);
            peer.Send(Convert.FromHexString("00E1" + "2001B161"));    // CSM; GET /a
            await isAsked.Task.WaitAsync(TimeSpan.FromMinutes(1));
        }

        mayAnswer.SetResult();

        await body.Invoking(one => one.Closed.WaitAsync(TimeSpan.FromMinutes(1))).Should().NotThrowAsync();
    }
}
