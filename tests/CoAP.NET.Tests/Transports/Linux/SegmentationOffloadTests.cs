using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CoAP.TestSupport;
using CoAP.Transports;

namespace CoAP.Tests.Transports;

/// <summary>Datagrams that pass through the kernel as one. The same datagrams arrive as without segmentation offload.</summary>
[Trait("Category", "Loopback")]
public sealed class SegmentationOffloadTests
{
    private static readonly UdpSettings Offload = new();

    [SkippableFact]
    public void Datagrams_of_equal_length_are_sent_with_one_call_and_arrive_one_by_one()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var sender = Open(Offload);
        using var receiver = Foreign();
        var sent = Of(20, 20, 20, 20, 7, 20, 20, 30, 30, 5, 5, 1);

        SendAll(sender, receiver, sent);

        Texts(ReceiveAll(receiver, sent.Length)).Should().Equal(Texts(sent));
        (sender.Counters[TransportCounters.DatagramsSent], sender.Counters[TransportCounters.SystemCalls]).Should().Be((12, 1));
    }

    [SkippableTheory]
    [InlineData(true, true)]
    [InlineData(true, false)]
    [InlineData(false, true)]
    public void Every_sender_works_with_every_receiver(bool isJoinedWhenSent, bool isJoinedWhenReceived)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var sender = Open(Offload with { UsesSegmentationOffload = isJoinedWhenSent });
        using var receiver = Open(Offload with { UsesSegmentationOffload = isJoinedWhenReceived });
        var heard = new UdpRecorder();
        var seed = Random.Shared.Next();
        var random = new Random(seed);
        var sent = Of([.. Enumerable.Range(0, 500).Select(_ => random.Next(4) == 0 ? random.Next(1, 1400) : 26)]);

        SendAll(sender, receiver.LocalEndPoints[0], sent);
        heard.ReceiveCount(receiver, sent.Length);

        Texts(heard.Datagrams.Select(datagram => datagram.Bytes)).Should().Equal(Texts(sent), "seed {0}", seed);
        (sender.Counters[TransportCounters.DatagramsSent], receiver.Counters[TransportCounters.DatagramsReceived]).Should().Be((500, 500));
    }

    [SkippableFact]
    public void Alternating_datagrams_reach_the_right_one_of_two_peers()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var sender = Open(Offload);
        using var first = Foreign();
        using var second = Foreign();
        var sent = Of(9, 9, 9, 9, 9, 9);

        for (var i = 0; i < sent.Length; i++) { sender.Send(new ChannelKey(IdentityOf(i % 3 == 0 ? first : second), default), sent[i]); }
        sender.Flush();

        Texts(ReceiveAll(first, 2)).Should().Equal(Texts([sent[0], sent[3]]));
        Texts(ReceiveAll(second, 4)).Should().Equal(Texts([sent[1], sent[2], sent[4], sent[5]]));
    }

    [SkippableTheory]
    [InlineData(64)]
    [InlineData(65)]
    [InlineData(300)]
    public void Any_number_of_datagrams_is_sent(int count)
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        using var sender = Open(Offload with { BatchSize = 1024 });
        using var receiver = Foreign();
        var sent = Of([.. Enumerable.Repeat(1200, count)]);

        SendAll(sender, receiver, sent);

        Texts(ReceiveAll(receiver, count)).Should().Equal(Texts(sent));
        sender.Counters[TransportCounters.DatagramsSent].Should().Be(count);
    }

    [SkippableFact]
    [SupportedOSPlatform("linux")]
    public void If_the_system_cannot_split_a_message_its_datagrams_and_all_later_ones_are_sent_separately()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        const int socketLevel = 1, noChecksums = 11;    // SO_NO_CHECK: the kernel splits no message whose checksums it may not compute
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        socket.SetRawSocketOption(socketLevel, noChecksums, BitConverter.GetBytes(1));
        using var sender = new BatchedUdpTransport([socket], [], Offload);
        using var receiver = Foreign();
        var sent = Of(20, 20, 20, 7, 30, 30);

        SendAll(sender, receiver, sent);
        var calls = sender.Counters[TransportCounters.SystemCalls];
        SendAll(sender, receiver, sent);

        Texts(ReceiveAll(receiver, 12)).Should().Equal(Texts([.. sent, .. sent]));
        (sender.Counters[TransportCounters.DatagramsSent], sender.Counters[TransportCounters.SystemCalls]).Should().Be((12, calls + 1));
        sender.Counters[TransportCounters.SendFailures].Should().Be(0);
    }

    [SkippableTheory]
    [InlineData("0.0.0.0", "127.0.0.1", "127.0.0.2")]
    [InlineData("::", "::1", "::1")]
    public void A_wildcard_joins_datagrams_with_the_same_source_address_and_sends_them_from_it(string any, string at, string from)
    {
        Skip.IfNot(OperatingSystem.IsLinux() && LocalAddresses.HasIPv6, "needs Linux with IPv6");
        using var sender = UdpTransport.Bind([new IPEndPoint(IPAddress.Parse(any), 0)], 1, Offload)[0];
        using var receiver = Open(Offload, at);
        var source = PeerIdentity.From(new IPEndPoint(IPAddress.Parse(from), sender.LocalEndPoints[0].Port));
        var heard = new UdpRecorder();
        var sent = Of(20, 20, 20, 7, 1232, 1232, 1, 1, 1233, 1233);

        foreach (var datagram in sent) { sender.Send(new ChannelKey(PeerIdentity.From(receiver.LocalEndPoints[0]), source), datagram); }
        sender.Flush();
        heard.ReceiveCount(receiver, sent.Length);

        Texts(heard.Datagrams.Select(datagram => datagram.Bytes)).Should().Equal(Texts(sent));
        heard.Datagrams.Should().OnlyContain(datagram => datagram.Key.Peer == source);
        (sender.Counters[TransportCounters.DatagramsSent], sender.Counters[TransportCounters.SystemCalls]).Should().Be((10, 1));
        sender.Counters[TransportCounters.SendFailures].Should().Be(0);
    }

    [SkippableFact]
    public void Joined_broadcast_datagrams_are_delivered_one_by_one_too()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        const int udp = 17, segment = 103;
        using var receiver = Open(Offload, "0.0.0.0");
        using var sender = Foreign();
        sender.EnableBroadcast = true;
        sender.SetRawSocketOption(udp, segment, BitConverter.GetBytes(9));
        var heard = new UdpRecorder();
        var sent = Of(9, 9, 4);

        sender.SendTo([.. sent.SelectMany(bytes => bytes)], new IPEndPoint(IPAddress.Parse("127.255.255.255"), receiver.LocalEndPoints[0].Port));
        heard.ReceiveUntil(receiver, () => heard.GroupDatagrams.Count > 0);

        Texts(heard.GroupDatagrams.Select(datagram => datagram.Bytes)).Should().Equal(Texts(sent));
        receiver.Counters[TransportCounters.DatagramsReceived].Should().Be(3);
    }

    [SkippableFact]
    public async Task All_joined_requests_to_a_closed_port_fail_at_once()
    {
        Skip.IfNot(OperatingSystem.IsLinux(), "needs Linux");
        await using var client = new CoapClient(new() { Transmission = new() { NStart = 8, AckTimeout = TimeSpan.FromMinutes(10) }, LaneForm = LaneForm.ThreadPool });
        var closed = Foreign();
        var uri = $"coap://{closed.LocalEndPoint}/";
        closed.Dispose();

        var calls = Enumerable.Range(0, 8).Select(_ => Record.ExceptionAsync(async () => await client.GetAsync(uri))).ToArray();
        var errors = await Task.WhenAll(calls).WaitAsync(TimeSpan.FromMinutes(1));

        errors.Should().AllBeOfType<CoapTransportException>();
    }

    private static IDatagramTransport Open(UdpSettings settings, string at = "127.0.0.1") =>
        UdpTransport.Bind([new IPEndPoint(IPAddress.Parse(at), 0)], 1, settings)[0];

    private static Socket Foreign()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp)
        {
            ReceiveBufferSize = 4 << 20,
            ReceiveTimeout = 60_000,
        };
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return socket;
    }

    private static PeerIdentity IdentityOf(Socket socket) => PeerIdentity.From((IPEndPoint)socket.LocalEndPoint!);

    /// <summary>Returns datagrams of these lengths. The bytes of each are its index.</summary>
    private static byte[][] Of(params int[] lengths) => [.. lengths.Select((length, index) => Enumerable.Repeat((byte)index, length).ToArray())];

    private static void SendAll(IDatagramTransport sender, Socket receiver, byte[][] datagrams) =>
        SendAll(sender, (IPEndPoint)receiver.LocalEndPoint!, datagrams);

    private static void SendAll(IDatagramTransport sender, IPEndPoint receiver, byte[][] datagrams)
    {
        foreach (var datagram in datagrams) { sender.Send(new ChannelKey(PeerIdentity.From(receiver), default), datagram).Should().BeTrue(); }
        sender.Flush();
    }

    private static IEnumerable<string> Texts(IEnumerable<byte[]> datagrams) => datagrams.Select(datagram => Hex.Text(datagram));

    private static byte[][] ReceiveAll(Socket socket, int count)
    {
        var buffer = new byte[65_536];
        return [.. Enumerable.Range(0, count).Select(_ => buffer[..socket.Receive(buffer)])];
    }
}
