using System.Net;
using System.Net.Sockets;

namespace CoAP.Tests.Datagrams;

[Trait("Category", "Loopback")]
public sealed class UnacknowledgedAnswersTests
{
    private const int Limit = 3;
    private const int Confirmable = 0x40;
    private const int NonConfirmable = 0x50;

    [Fact, Trait("RFC", "7252 5.2.3")]
    public async Task Beyond_the_limit_answers_that_nobody_acknowledges_go_in_non_confirmable_messages()
    {
        await using var server = new CoapServer(new()
        {
            Endpoints = [ServerEndpoint.Udp(new IPEndPoint(IPAddress.Loopback, 0))],
            MaxPendingRequests = (2 * Limit) - 1,    // one account holds at most as many as are still free
        });
        using var isAcknowledged = new SemaphoreSlim(0);
        server.Resources.At("a").Get(async (request, token) =>
        {
            request.Acknowledge();
            await isAcknowledged.WaitAsync(token);
            return Response.Content("");
        });
        server.Start();
        using var peer = new UdpClient();
        peer.Connect(server.Endpoints[0].Address);

        var types = new List<int>();
        for (byte id = 1; id <= Limit + 2; id++)
        {
            await peer.SendAsync(new byte[] { 0x41, 0x01, 0, id, id, 0xB1, 0x61 });     // CON GET /a, its token the message ID
            types.Add(await TypeOfAnswerAsync(peer, id, isAcknowledged).WaitAsync(TimeSpan.FromMinutes(1)));
        }

        types.Should().Equal(Confirmable, Confirmable, Confirmable, NonConfirmable, NonConfirmable);
    }

    private static async Task<int> TypeOfAnswerAsync(UdpClient peer, byte token, SemaphoreSlim isAcknowledged)
    {
        while (true)
        {
            var bytes = (await peer.ReceiveAsync()).Buffer;
            if (bytes[1] == 0) { isAcknowledged.Release(); }
            else if (bytes[4] == token) { return bytes[0] & 0x70; }
        }
    }
}
