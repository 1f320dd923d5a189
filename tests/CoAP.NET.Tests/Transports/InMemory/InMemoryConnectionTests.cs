using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

public sealed class InMemoryConnectionTests : StreamContract
{
    [Fact]
    public void Holds_no_more_than_its_capacity_and_then_would_block()
    {
        var network = new InMemoryNetwork { ConnectionCapacity = 10 };
        var (client, server) = Connect(network);
        var (atClient, atServer) = (new StreamRecorder(client), new StreamRecorder(server));

        client.Send(new byte[] { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 }, out var count).Should().Be(StreamOutcome.Done);
        client.Send(new byte[] { 11, 12 }, out _).Should().Be(StreamOutcome.WouldBlock);
        client.ArmSend(new byte[] { 11, 12 });
        var wasWritable = atClient.IsWritable;
        atServer.Receive(12);

        count.Should().Be(10);
        wasWritable.Should().BeFalse();
        atClient.IsWritable.Should().BeTrue();
        atServer.Received.Should().Equal(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    [Fact]
    public void Is_refused_without_a_listener()
    {
        var network = new InMemoryNetwork();

        var act = () => network.Connect(PeerIdentity.From("client"), PeerIdentity.From("server"));

        act.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.ConnectionRefused);
    }

    [Fact]
    public void A_name_can_be_listened_on_again_after_the_listener_has_ended()
    {
        var (network, server) = (new InMemoryNetwork(), PeerIdentity.From("server"));
        var first = network.Listen(server, _ => { });

        var again = () => network.Listen(server, _ => { });

        again.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse);
        first.Dispose();
        again.Should().NotThrow();
    }

    private protected override (IStreamConnection Client, IStreamConnection Server) Connect() => Connect(new InMemoryNetwork());

    private static (IStreamConnection Client, IStreamConnection Server) Connect(InMemoryNetwork network)
    {
        IStreamConnection? server = null;
        using var listening = network.Listen(PeerIdentity.From("server"), connection => server = connection);
        return (network.Connect(PeerIdentity.From("client"), PeerIdentity.From("server")), server!);
    }
}
