using System.Net;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
public sealed class TcpBlockingConnectionTests : StreamContract
{
    [Fact]
    public void A_peer_that_does_not_read_makes_a_send_fail_after_the_time_out()
    {
        var (client, _) = Connect(new TcpSettings { SendTimeout = TimeSpan.FromMilliseconds(300) });
        Own(client);

        var outcome = client.Send(new byte[64 << 20], out var count);

        outcome.Should().Be(StreamOutcome.Failed);
        count.Should().BeLessThan(64 << 20);
    }

    private protected override (IStreamConnection Client, IStreamConnection Server) Connect() => Connect(new TcpSettings());

    private (IStreamConnection Client, IStreamConnection Server) Connect(TcpSettings settings)
    {
        var accepted = Own(new AcceptRecorder());
        var local = new IPEndPoint(IPAddress.Loopback, 0);
        var acceptor = Own(new TcpAcceptor(local, false, settings, ServerLimits.Of(settings, isBlocking: true), accepted) { IsBlocking = true });
        acceptor.Start();
        var client = TcpConnector.ConnectAsync(acceptor.LocalEndPoint, settings, isBlocking: true, CancellationToken.None).GetAwaiter().GetResult();
        return (new TcpBlockingConnection(client, settings), accepted.Next());
    }
}
