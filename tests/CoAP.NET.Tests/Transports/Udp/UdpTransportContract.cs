using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>The contract of both forms of the UDP transport.</summary>
public abstract class UdpTransportContract
{
    private static readonly IPEndPoint LoopbackIPv4 = new(IPAddress.Loopback, 0);
    private static readonly IPEndPoint LoopbackIPv6 = new(IPAddress.IPv6Loopback, 0);

    private protected abstract UdpSettings Settings { get; }

    [Fact]
    public void Carries_a_datagram_there_and_back_over_IPv4() => RoundTrip(LoopbackIPv4);

    [SkippableFact]
    public void Carries_a_datagram_there_and_back_over_IPv6()
    {
        Skip.IfNot(LocalAddresses.HasIPv6, "IPv6 is off");

        RoundTrip(LoopbackIPv6);
    }

    [SkippableFact]
    public void One_wildcard_serves_IPv4_and_IPv6_and_shows_IPv4_peers_as_such()
    {
        Skip.IfNot(LocalAddresses.HasIPv6, "IPv6 is off");
        using var server = Open(new IPEndPoint(IPAddress.IPv6Any, 0));
        using var four = Open(LoopbackIPv4);
        using var six = Open(LoopbackIPv6);
        var port = server.LocalEndPoints[0].Port;
        var heard = new UdpRecorder { Echo = server };

        SendTo(four, new IPEndPoint(IPAddress.Loopback, port), 4);
        SendTo(six, new IPEndPoint(IPAddress.IPv6Loopback, port), 6);
        heard.ReceiveCount(server, 2);
        var (fromFour, fromSix) = (new UdpRecorder(), new UdpRecorder());
        fromFour.ReceiveCount(four, 1);
        fromSix.ReceiveCount(six, 1);

        heard.Datagrams.Single(datagram => datagram.Bytes[0] == 4).Key.Should()
            .Be(new ChannelKey(Local(four), PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port))));
        fromFour.Datagrams[0].Key.Peer.Should().Be(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port)));
        fromSix.Datagrams[0].Key.Peer.Should().Be(PeerIdentity.From(new IPEndPoint(IPAddress.IPv6Loopback, port)));
    }

    [Fact]
    public void Carries_a_hundred_datagrams_each_way_in_order()
    {
        using var server = Open(LoopbackIPv4);
        using var client = Open(LoopbackIPv4);
        var (heard, answers) = (new UdpRecorder { Echo = server }, new UdpRecorder());

        for (byte i = 0; i < 100; i++) { client.Send(new ChannelKey(Local(server), default), [i]).Should().BeTrue(); }
        client.Flush();
        heard.ReceiveCount(server, 100);
        answers.ReceiveCount(client, 100);

        answers.Datagrams.Select(datagram => (int)datagram.Bytes[0]).Should().Equal(Enumerable.Range(0, 100));
        (server.Counters[TransportCounters.DatagramsReceived], server.Counters[TransportCounters.DatagramsSent]).Should().Be((100, 100));
    }

    [SkippableTheory]
    [InlineData("127.0.0.1", 65_507)]
    [InlineData("::1", 65_527)]
    public void Carries_the_largest_datagram_and_refuses_a_larger_one(string address, int most)
    {
        Skip.IfNot(LocalAddresses.HasIPv6, "IPv6 is off");
        using var server = Open(new IPEndPoint(IPAddress.Parse(address), 0));
        using var client = Open(new IPEndPoint(IPAddress.Parse(address), 0));
        var (largest, heard) = (new byte[most], new UdpRecorder());
        new Random(7252).NextBytes(largest);

        client.Send(new ChannelKey(Local(server), default), new byte[most + 1]).Should().BeFalse();
        client.Send(new ChannelKey(Local(server), default), largest).Should().BeTrue();
        client.Flush();
        heard.ReceiveCount(server, 1);

        heard.Datagrams[0].Bytes.AsSpan().SequenceEqual(largest).Should().BeTrue();
    }

    [Fact]
    public void Drops_and_counts_a_datagram_larger_than_the_limit()
    {
        using var server = UdpTransport.Bind([LoopbackIPv4], 1, Settings with { MaxReceiveSize = 16 })[0];
        using var client = Open(LoopbackIPv4);
        var heard = new UdpRecorder();

        client.Send(new ChannelKey(Local(server), default), new byte[17]);
        client.Send(new ChannelKey(Local(server), default), new byte[16]);
        client.Flush();
        heard.ReceiveCount(server, 1);

        heard.Datagrams.Should().ContainSingle().Which.Bytes.Should().HaveCount(16);
        server.Counters[TransportCounters.Oversized].Should().Be(1);
    }

    [Fact]
    public void Refuses_a_peer_of_a_family_that_it_has_no_socket_for()
    {
        using var cut = Open(LoopbackIPv4);

        cut.Send(new ChannelKey(PeerIdentity.From(new IPEndPoint(IPAddress.IPv6Loopback, 5683)), default), [1]).Should().BeFalse();
        cut.Send(new ChannelKey(PeerIdentity.From("nobody"), default), [1]).Should().BeFalse();
    }

    [Fact]
    [Trait("RFC", "7252 5.3.2")]
    public void An_answer_leaves_from_the_address_that_was_asked()
    {
        using var server = Open(new IPEndPoint(IPAddress.Any, 0));
        var port = server.LocalEndPoints[0].Port;
        var heard = new UdpRecorder { Echo = server };
        foreach (var address in AddressesOfWildcard)
        {
            using var client = Open(LoopbackIPv4);
            var answers = new UdpRecorder();

            SendTo(client, new IPEndPoint(address, port), 1);
            heard.ReceiveCount(server, heard.Datagrams.Count + 1);
            answers.ReceiveCount(client, 1);

            heard.Datagrams[^1].Key.Local.Should().Be(PeerIdentity.From(new IPEndPoint(address, port)));
            answers.Datagrams[0].Key.Peer.Should().Be(PeerIdentity.From(new IPEndPoint(address, port)));
        }
    }

    [Fact]
    public void Without_a_local_address_the_system_chooses_the_socket_that_reaches_the_peer()
    {
        using var server = Open(LoopbackIPv4);
        var places = LocalAddresses.OfCards.Append(IPAddress.Loopback).Select(address => new IPEndPoint(address, 0));
        using var client = UdpTransport.Bind([.. places], 1, Settings)[0];
        var heard = new UdpRecorder();

        SendTo(client, server.LocalEndPoints[0], 1);
        heard.ReceiveCount(server, 1);

        heard.Datagrams[0].Key.Peer.ToIPEndPoint()!.Address.Should().Be(IPAddress.Loopback);
    }

    [Fact]
    public void A_second_server_on_the_port_is_refused_with_one_lane_and_with_two()
    {
        foreach (var lanes in OperatingSystem.IsLinux() ? new[] { 1, 2 } : [1])
        {
            var first = UdpTransport.Bind([LoopbackIPv4], lanes, Settings);

            var second = () => UdpTransport.Bind([first[0].LocalEndPoints[0]], lanes, Settings);

            second.Should().Throw<SocketException>().Which.SocketErrorCode.Should().Be(SocketError.AddressAlreadyInUse);
            Array.ForEach(first, lane => lane.Dispose());
        }
    }

    [SkippableFact]
    public void Two_lanes_share_a_port_and_the_peers_on_it()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "the system does not spread peers over sockets");
        var lanes = UdpTransport.Bind([LoopbackIPv4], 2, Settings);
        var clients = Enumerable.Range(0, 64).Select(_ => Open(LoopbackIPv4)).ToArray();
        var heard = lanes.Select(lane => new UdpRecorder { Echo = lane }).ToArray();
        var answers = new UdpRecorder();

        foreach (var client in clients) { SendTo(client, lanes[0].LocalEndPoints[0], 1); }
        for (var i = 0; i < 2; i++) { heard[i].ReceiveCount(lanes[i], 1); }
        foreach (var client in clients) { answers.ReceiveCount(client, answers.Datagrams.Count + 1); }

        lanes[1].LocalEndPoints.Should().Equal(lanes[0].LocalEndPoints);
        heard.Sum(lane => lane.Datagrams.Count).Should().Be(64);
        answers.Datagrams.Should().OnlyContain(datagram => datagram.Key.Peer == Local(lanes[0]));
        Array.ForEach([.. lanes, .. clients], transport => transport.Dispose());
    }

    [SkippableFact]
    public void A_loopback_pair_gets_one_free_port_for_both()
    {
        Skip.IfNot(LocalAddresses.HasIPv6, "IPv6 is off");

        using var cut = UdpTransport.Bind([LoopbackIPv4, LoopbackIPv6], 1, Settings)[0];

        cut.LocalEndPoints.Select(endPoint => endPoint.Address).Should().Equal(IPAddress.Loopback, IPAddress.IPv6Loopback);
        cut.LocalEndPoints[0].Port.Should().NotBe(0).And.Be(cut.LocalEndPoints[1].Port);
    }

    [Fact]
    public void Wait_ends_when_the_time_out_passes()
    {
        using var cut = Open(LoopbackIPv4);
        var start = Stopwatch.GetTimestamp();

        cut.Wait(TimeSpan.FromMilliseconds(20));

        Stopwatch.GetElapsedTime(start).Should().BeGreaterThan(TimeSpan.FromMilliseconds(19));
    }

    [Fact]
    public void A_wake_before_the_wait_is_not_lost_and_counts_once()
    {
        using var cut = Open(LoopbackIPv4);
        var start = Stopwatch.GetTimestamp();

        cut.Wake();
        cut.Wake();
        cut.Wait(TimeSpan.FromSeconds(30));
        cut.Wait(TimeSpan.FromMilliseconds(20));

        Stopwatch.GetElapsedTime(start).Should().BeGreaterThan(TimeSpan.FromMilliseconds(19));
    }

    [Fact]
    public async Task Every_wake_from_another_thread_ends_a_wait()
    {
        using var cut = Open(LoopbackIPv4);
        using var seen = new SemaphoreSlim(0);
        var (asked, rounds) = (0, 2_000);
        var waker = Task.Run(() =>
        {
            for (var i = 1; i <= rounds; i++)
            {
                Volatile.Write(ref asked, i);
                cut.Wake();
                seen.Wait(TimeSpan.FromSeconds(20)).Should().BeTrue("wake {0} must not be lost", i);
            }
        });

        for (int last = 0, now; last < rounds && !waker.IsCompleted; last = now)
        {
            cut.Wait(TimeSpan.FromMinutes(1));
            now = Volatile.Read(ref asked);
            if (now > last) { seen.Release(); }
        }

        await waker;
    }

    [Fact]
    public void A_wake_after_the_end_does_nothing()
    {
        var cut = Open(LoopbackIPv4);
        cut.Dispose();

        cut.Invoking(transport => transport.Wake()).Should().NotThrow();
    }

    [Fact]
    public async Task The_awaited_form_completes_for_a_datagram_and_for_a_wake()
    {
        using var server = Open(LoopbackIPv4);
        using var client = Open(LoopbackIPv4);
        var heard = new UdpRecorder();
        for (var round = 0; round < 100; round++)
        {
            var wait = server.WaitAsync().AsTask();
            SendTo(client, server.LocalEndPoints[0], 1);
            await wait.WaitAsync(TimeSpan.FromMinutes(1));
            heard.ReceiveCount(server, round + 1);
        }

        server.Wake();
        await server.WaitAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(1));
        var idle = server.WaitAsync().AsTask();
        var wasIdle = !idle.IsCompleted;
        server.Wake();
        await idle.WaitAsync(TimeSpan.FromMinutes(1));

        (heard.Datagrams.Count, wasIdle).Should().Be((100, true));
    }

    [Theory, Trait("RFC", "7252 4.4")]
    [InlineData("127.0.0.1"), InlineData("0.0.0.0")]
    public void A_port_that_is_opened_later_sends_and_receives_until_it_is_closed(string address)
    {
        using var server = Open(LoopbackIPv4);
        using var client = UdpTransport.Bind([new IPEndPoint(IPAddress.Parse(address), 0)], 1, Settings, mayOpenPorts: true)[0];
        var (heard, answers) = (new UdpRecorder { Echo = server }, new UdpRecorder());
        var bound = Enumerable.Range(0, 3).Select(_ => client.OpenPort()).ToList();
        var ports = bound.ConvertAll(static addresses => addresses[0].Port);

        foreach (var port in ports)
        {
            client.Send(new ChannelKey(Local(server), PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port))), [1, 2, 3]).Should()
                .BeTrue();
            client.Flush();
            heard.ReceiveCount(server, heard.Datagrams.Count + 1);
            answers.ReceiveCount(client, heard.Datagrams.Count);
        }
        client.ClosePort(bound[1]);
        using var again = Open(new IPEndPoint(IPAddress.Loopback, ports[1]));
        SendTo(server, new IPEndPoint(IPAddress.Loopback, ports[2]), 4);
        answers.ReceiveCount(client, 4);

        heard.Datagrams.Select(static datagram => datagram.Key.Peer.Port).Should().Equal(ports);
        answers.Datagrams.Select(static datagram => datagram.Key.Local.Port).Should().Equal([.. ports, ports[2]]);
    }

    [Fact]
    public async Task A_wait_that_has_begun_ends_when_a_port_is_opened_so_that_the_next_one_includes_it()
    {
        using var server = Open(LoopbackIPv4);
        using var client = UdpTransport.Bind([LoopbackIPv4], 1, Settings, mayOpenPorts: true)[0];
        var (heard, answers) = (new UdpRecorder { Echo = server }, new UdpRecorder());

        var waiting = client.WaitAsync().AsTask();
        var port = client.OpenPort()[0];
        await waiting.WaitAsync(TimeSpan.FromMinutes(1));
        waiting = client.WaitAsync().AsTask();
        client.Send(new ChannelKey(Local(server), PeerIdentity.From(port)), [1]);
        client.Flush();
        heard.ReceiveCount(server, 1);
        await waiting.WaitAsync(TimeSpan.FromMinutes(1));

        answers.ReceiveCount(client, 1);
    }

    [Fact]
    public void A_transport_opens_ports_only_if_it_was_told_so()
    {
        using var cut = Open(LoopbackIPv4);

        cut.OpenPort().Should().BeEmpty();
    }

    /// <summary>Addresses of this machine that a wildcard receives on.</summary>
    private protected abstract IEnumerable<IPAddress> AddressesOfWildcard { get; }

    private protected IDatagramTransport Open(IPEndPoint endPoint) => UdpTransport.Bind([endPoint], 1, Settings)[0];

    private protected static PeerIdentity Local(IDatagramTransport transport) => PeerIdentity.From(transport.LocalEndPoints[0]);

    private protected static void SendTo(IDatagramTransport transport, IPEndPoint peer, params byte[] datagram)
    {
        transport.Send(new ChannelKey(PeerIdentity.From(peer), default), datagram).Should().BeTrue();
        transport.Flush();
    }

    private void RoundTrip(IPEndPoint endPoint)
    {
        using var server = Open(endPoint);
        using var client = Open(endPoint);
        var (heard, answers) = (new UdpRecorder { Echo = server }, new UdpRecorder());

        SendTo(client, server.LocalEndPoints[0], 0x40, 0x01, 0x12, 0x34);
        heard.ReceiveCount(server, 1);
        answers.ReceiveCount(client, 1);

        heard.Datagrams[0].Key.Should().Be(new ChannelKey(Local(client), Local(server)));
        answers.Datagrams[0].Key.Should().Be(new ChannelKey(Local(server), Local(client)));
        answers.Datagrams[0].Bytes.Should().Equal(0x40, 0x01, 0x12, 0x34);
    }
}
