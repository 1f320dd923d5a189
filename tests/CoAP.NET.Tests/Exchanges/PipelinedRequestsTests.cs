using System.Net;
using System.Net.Sockets;
using CoAP.Options;

namespace CoAP.Tests.Exchanges;

[Trait("Category", "Loopback")]
public sealed class PipelinedRequestsTests
{
    private const int MaxInProgress = 256;
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(ServerMode.Async)]
    [InlineData(ServerMode.AsyncSingle)]
    [InlineData(ServerMode.Sync)]
    public async Task One_connection_has_only_so_many_requests_in_progress_and_all_are_answered(ServerMode mode)
    {
        const int Requests = 2000;
        await using var server = new CoapServer(new() { Mode = mode, Endpoints = [ServerEndpoint.Tcp(new IPEndPoint(IPAddress.Loopback, 0))] });
        var full = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        int inProgress = 0, most = 0;
        server.Resources.At("a").Get(async (_, _) =>
        {
            var now = Interlocked.Increment(ref inProgress);
            most = Math.Max(most, now);
            if (now >= MaxInProgress) { full.TrySetResult(); }
            await full.Task;
            Interlocked.Decrement(ref inProgress);
            return Response.Valid(new ETag(new byte[] { 1 }));
        });
        server.Start();
        using var peer = new TcpClient();
        await peer.ConnectAsync(server.Endpoints[0].Address);
        var stream = peer.GetStream();

        await stream.WriteAsync(Convert.FromHexString("00E1" + string.Concat(Enumerable.Repeat("2001B161", Requests))));
        await ReadAnswersAsync(stream, Requests).WaitAsync(Patience);

        most.Should().Be(MaxInProgress);
    }

    // 2.03 with an ETag of one byte.
    private static async Task ReadAnswersAsync(NetworkStream stream, int count)
    {
        var header = new byte[2];
        for (var left = count; left > 0;)
        {
            await stream.ReadExactlyAsync(header);
            await stream.ReadExactlyAsync(new byte[header[0] >> 4]);
            if (header[1] == 0x43) { left--; }
        }
    }
}
