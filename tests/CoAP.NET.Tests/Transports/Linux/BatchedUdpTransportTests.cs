using System.Net;
using System.Net.Sockets;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

[Trait("Category", "Loopback")]
public sealed class BatchedUdpTransportTests : UdpTransportContract
{
    private protected override UdpSettings Settings { get; } = new();

    private protected override IEnumerable<IPAddress> AddressesOfWildcard => OperatingSystem.IsLinux()
        ? [IPAddress.Loopback, IPAddress.Parse("127.0.0.2"), IPAddress.Parse("127.1.2.3"), .. LocalAddresses.OfCards]
        : LocalAddresses.OfCards.Prepend(IPAddress.Loopback);

    [SkippableTheory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    [InlineData("::1")]
    [InlineData("::")]
    [Trait("RFC", "7252 4.2")]
    public void A_closed_port_is_reported_with_the_datagram_it_is_about_and_nobody_else_suffers(string address)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && LocalAddresses.HasIPv6, "needs Linux with IPv6");
        var loopback = address.Contains(':') ? IPAddress.IPv6Loopback : IPAddress.Loopback;
        using var client = Open(new IPEndPoint(IPAddress.Parse(address), 0));
        using var server = Open(new IPEndPoint(loopback, 0));
        var closed = Open(new IPEndPoint(loopback, 0));
        closed.Dispose();
        var (heard, told) = (new UdpRecorder(), new UdpRecorder());

        SendTo(client, closed.LocalEndPoints[0], 0x40, 0x01, 0x12, 0x34);
        SendTo(client, server.LocalEndPoints[0], 2);
        heard.ReceiveCount(server, 1);
        told.ReceiveUntil(client, () => told.Errors.Count > 0);

        var local = new IPEndPoint(loopback, client.LocalEndPoints[0].Port);
        told.Errors.Should().ContainSingle();
        told.Errors[0].Key.Should().Be(new ChannelKey(Local(closed), PeerIdentity.From(local)));
        told.Errors[0].Quoted.Should().Equal(0x40, 0x01, 0x12, 0x34);
        told.Errors[0].Error.Should().Be(SocketError.ConnectionRefused);
        client.Counters[TransportCounters.SendFailures].Should().Be(0);
    }

    [SkippableFact]
    public void A_closed_port_is_reported_over_IPv4_by_a_socket_of_both_families()
    {
        Skip.IfNot(OperatingSystem.IsLinux() && LocalAddresses.HasIPv6, "needs Linux with IPv6");
        using var client = Open(new IPEndPoint(IPAddress.IPv6Any, 0));
        var closed = Open(new IPEndPoint(IPAddress.Loopback, 0));
        closed.Dispose();
        var told = new UdpRecorder();

        SendTo(client, closed.LocalEndPoints[0], 7);
        told.ReceiveUntil(client, () => told.Errors.Count > 0);

        told.Errors[0].Key.Peer.Should().Be(Local(closed));
        told.Errors[0].Quoted.Should().Equal(7);
    }

    [SkippableFact]
    public async Task A_closed_port_is_reported_in_the_awaited_form()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var client = Open(new IPEndPoint(IPAddress.Loopback, 0));
        var closed = Open(new IPEndPoint(IPAddress.Loopback, 0));
        closed.Dispose();
        var told = new UdpRecorder();

        var wait = client.WaitAsync().AsTask();
        SendTo(client, closed.LocalEndPoints[0], 7);
        await wait.WaitAsync(TimeSpan.FromMinutes(1));
        client.Receive(told);

        told.Errors.Should().ContainSingle().Which.Quoted.Should().Equal(7);
    }

    [SkippableFact]
    public void A_datagram_that_the_system_refuses_is_reported_and_does_not_delay_the_others()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var client = Open(new IPEndPoint(IPAddress.Loopback, 0));
        using var server = Open(new IPEndPoint(IPAddress.Loopback, 0));
        var broadcast = PeerIdentity.From(new IPEndPoint(IPAddress.Broadcast, 5683));
        var (heard, told) = (new UdpRecorder(), new UdpRecorder());

        foreach (var peer in new[] { Local(server), broadcast, Local(server) }) { client.Send(new ChannelKey(peer, default), [9]); }
        client.Flush();
        heard.ReceiveCount(server, 2);
        client.Wait(TimeSpan.FromMinutes(1));
        client.Receive(told);

        told.Errors.Should().ContainSingle().Which.Key.Peer.Should().Be(broadcast);
        (client.Counters[TransportCounters.SendFailures], client.Counters[TransportCounters.DatagramsSent]).Should().Be((1, 2));
    }

    [SkippableFact]
    public void Datagrams_lost_to_a_full_buffer_are_counted()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var server = UdpTransport.Bind([new IPEndPoint(IPAddress.Loopback, 0)], 1, new UdpSettings { ReceiveBufferSize = 4096 })[0];
        using var client = Open(new IPEndPoint(IPAddress.Loopback, 0));
        var heard = new UdpRecorder();

        for (var i = 0; i < 100; i++) { SendTo(client, server.LocalEndPoints[0], 1); }
        heard.ReceiveUntil(server, () => true);
        SendTo(client, server.LocalEndPoints[0], 2);
        heard.ReceiveUntil(server, () => heard.Datagrams[^1].Bytes[0] == 2);

        server.Counters[TransportCounters.ReceiveOverflow].Should().BePositive().And.Be(101 - heard.Datagrams.Count);
    }

    [SkippableTheory]
    [InlineData("127.0.0.1")]
    [InlineData("0.0.0.0")]
    [InlineData("::")]
    public void A_datagram_allocates_nothing(string address)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && LocalAddresses.HasIPv6, "needs Linux with IPv6");
        using var server = Open(new IPEndPoint(IPAddress.Parse(address), 0));
        using var client = Open(new IPEndPoint(IPAddress.Loopback, 0));
        var key = new ChannelKey(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, server.LocalEndPoints[0].Port)), default);
        var (echo, answers) = (new Counter(server), new Counter(null));
        var runs = 0;

        var allocated = Allocations.Of(() =>
        {
            Exchange(client, key, server, echo, answers, 10_000);
            runs++;
        });

        allocated.Should().Be(0);
        answers.Count.Should().Be(runs * 10_000);
    }

    private static void Exchange(IDatagramTransport client, in ChannelKey key, IDatagramTransport server,
        Counter echo, Counter answers, int count)
    {
        var datagram = "abcdefgh"u8;
        var goal = answers.Count + count;
        for (var sent = 0; answers.Count < goal; sent++)
        {
            if (sent < count) { client.Send(key, datagram); }
            client.Flush();
            server.Wait(TimeSpan.FromMilliseconds(sent < count ? 0 : 10));
            server.Receive(echo);
            server.Flush();
            client.Receive(answers);
            if (sent > count + 1_000) { return; }
        }
    }

    private sealed class Counter(IDatagramTransport? echo) : IDatagramReceiver
    {
        public int Count { get; private set; }

        public void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
        {
            Count++;
            echo?.Send(key, datagram);
        }

        public void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error) => Count--;
    }
}
