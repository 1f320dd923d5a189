using System.Net;
using CoAP.TestSupport;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Mesh.Capturing;

public sealed class PcapngCaptureTests
{
    private const int Syn = 0x02;
    private const int SynAck = 0x12;
    private const int PushAck = 0x18;

    [Fact]
    public async Task A_stream_that_fails_ends_the_capture_with_one_line_and_not_the_server()
    {
        var log = new TestLog();
        await using var capture = PcapngCapture.ToStream(new FullStream(room: 300));

        for (var i = 0; i < 3; i++)
        {
            (await ExchangeAsync(capture, "coap", log: log)).Should().Be("on");
            await capture.DisposeAsync();
        }

        log.Lines(LogLevel.Error).Should().ContainSingle().Which.Should().Contain("capture to a stream has ended");
        capture.Dropped.Should().BePositive();
    }

    [Fact]
    public async Task Datagrams_are_captured_in_both_directions_with_the_time_of_the_endpoint()
    {
        var (stream, time) = (new MemoryStream(), new ManualClock());
        await using (var capture = PcapngCapture.ToStream(stream)) { await ExchangeAsync(capture, "coap", time: time); }

        var file = PcapngReader.Read(stream.ToArray());

        file.LinkType.Should().Be(101);
        file.Packets.Select(packet => packet.IsSent).Should().Equal(false, true);
        file.Packets.Should().OnlyContain(packet => packet.Time == time.GetUtcNow() && !packet.IsTcp);
        file.Packets[0].Source.Should().Be(file.Packets[1].Destination);
        file.Packets[0].Destination.Should().Be(file.Packets[1].Source).And.Match<IPEndPoint>(server => server.Port == 5683);
        file.Packets[0].Content[1].Should().Be(0x01, "the request is a GET");
        file.Packets[1].Content.Should().EndWith("on"u8.ToArray());
        file.Statistics.Should().Be((2L, 0L));
    }

    [Fact]
    public async Task Messages_of_a_connection_are_segments_without_gaps()
    {
        var stream = new MemoryStream();
        await using (var capture = PcapngCapture.ToStream(stream)) { await ExchangeAsync(capture, "coap+tcp", payload: 100_000); }

        var packets = PcapngReader.Read(stream.ToArray()).Packets;

        packets.Should().OnlyContain(packet => packet.IsTcp).And.HaveCountGreaterThan(6);
        foreach (var direction in packets.GroupBy(packet => packet.IsSent))
        {
            var next = 0u;
            foreach (var packet in direction)
            {
                packet.Sequence.Should().Be(next);
                next += (uint)(((packet.Flags & Syn) / Syn) + packet.Content.Length);
            }
        }
        packets.Take(3).Select(packet => (packet.IsSent, packet.Flags, packet.Acknowledged)).Should().StartWith([(false, Syn, 0u), (true, SynAck, 1u)], "the client connects");
        packets.Skip(2).Should().OnlyContain(packet => packet.Flags == PushAck);
        packets.Where(packet => packet.IsSent).Sum(packet => packet.Content.Length).Should().BeGreaterThan(100_000);
    }

    [Fact]
    public async Task A_message_without_room_is_dropped_and_counted_in_the_file()
    {
        var stream = new MemoryStream();
        var capture = PcapngCapture.ToStream(stream, new PcapngCaptureSettings { BufferSize = 64 << 10 });
        await using (capture) { await ExchangeAsync(capture, "coap+tcp", payload: 100_000); }

        var file = PcapngReader.Read(stream.ToArray());
        capture.Dropped.Should().Be(1);
        file.Statistics!.Value.Dropped.Should().Be(4, "100,000 bytes are four segments of at most 32 KiB");
        file.Statistics.Value.Received.Should().Be(file.Packets.Count + 4);
    }

    [Fact]
    public async Task A_full_file_is_followed_by_the_next_and_the_oldest_is_deleted()
    {
        var folder = Directory.CreateTempSubdirectory("coap-capture-");
        var path = Path.Combine(folder.FullName, "c.pcapng");
        await using (var capture = PcapngCapture.ToFile(path, new PcapngCaptureSettings { MaxFileSize = 64 << 10, MaxFiles = 2 }))
        {
            for (var i = 0; i < 5; i++) { await ExchangeAsync(capture, "coap+tcp", payload: 40_000); }
        }

        var counts = folder.GetFiles().OrderBy(file => file.Name).Select(file => PcapngReader.Read(File.ReadAllBytes(file.FullName)))
            .Select(file => (file.Statistics!.Value.Received, file.Packets.Count)).ToArray();
        (counts[1].Received - counts[0].Received).Should().Be(counts[1].Count, "the files are named c.1 and c, and the count begins with the capture");
        counts[0].Received.Should().BeGreaterThan(counts[0].Count);
        folder.GetFiles().Select(file => file.Name).Should().BeEquivalentTo("c.pcapng", "c.1.pcapng");
        foreach (var file in folder.GetFiles())
        {
            file.Length.Should().BeLessThan(80 << 10);
            PcapngReader.Read(File.ReadAllBytes(file.FullName)).Statistics.Should().NotBeNull();
        }
        folder.Delete(recursive: true);
    }

    [Theory]
    [InlineData("[2001:db8::1]:40000", "[2001:db8::2]:5684", "[2001:db8::1]:40000", "[2001:db8::2]:5683")]
    [InlineData("192.0.2.1:40001", "[::]:5683", "192.0.2.1:40001", "0.0.0.0:5683")]
    public async Task Addresses_are_those_of_the_channel_and_the_secured_port_becomes_the_plain_one(string peer, string local, string source, string destination)
    {
        var stream = new MemoryStream();
        await using (var capture = PcapngCapture.ToStream(stream))
        {
            var key = new ChannelKey(PeerIdentity.From(IPEndPoint.Parse(peer)), PeerIdentity.From(IPEndPoint.Parse(local)));
            capture.Add(new Frame(key, new byte[] { 0x40, 1, 0, 7 }), isSent: false, isReliable: false, isClient: false, DateTimeOffset.UnixEpoch.AddTicks(1));
            capture.Add(new Frame(key, new byte[] { 0x60, 0, 0, 7, 9 }), isSent: true, isReliable: true, isClient: false, DateTimeOffset.UnixEpoch.AddTicks(1));
        }

        var packets = PcapngReader.Read(stream.ToArray()).Packets;

        packets[0].Source.Should().Be(IPEndPoint.Parse(source));
        packets[0].Destination.Should().Be(IPEndPoint.Parse(destination));
        packets[0].Time.Should().Be(DateTimeOffset.UnixEpoch.AddTicks(1));
        packets[^1].Content.Should().Equal(0x60, 0, 0, 7, 9);
    }

    [Fact]
    public async Task When_there_are_too_many_connections_the_one_without_messages_is_forgotten_and_begins_again()
    {
        var stream = new MemoryStream();
        await using (var capture = PcapngCapture.ToStream(stream))
        {
            foreach (var port in (int[])[1, 2, .. Enumerable.Range(3, 9_998), 1, 10_001, 1, 2])
            {
                var key = new ChannelKey(PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port)), PeerIdentity.From(IPEndPoint.Parse("127.0.0.1:5683")));
                capture.Add(new Frame(key, new byte[] { 0, 1 }), isSent: false, isReliable: true, isClient: false, DateTimeOffset.UnixEpoch);
            }
        }

        var packets = PcapngReader.Read(stream.ToArray()).Packets;

        var first = packets.Where(packet => packet.Source.Port == 1).ToList();
        first.Select(packet => (packet.Flags, packet.Sequence)).Should().Equal((Syn, 0u), (PushAck, 1u), (PushAck, 3u), (PushAck, 5u));
        var second = packets.Where(packet => packet.Source.Port == 2).ToList();
        second.Select(packet => packet.Flags).Should().Equal(Syn, PushAck, Syn, PushAck);
        second[2].Sequence.Should().NotBe(second[0].Sequence, "a reader would take it for a repetition");
        second[3].Sequence.Should().Be(second[2].Sequence + 1);
    }

    private static async Task<string> ExchangeAsync(PcapngCapture capture, string scheme, TimeProvider? time = null, ILoggerFactory? log = null, int payload = 2)
    {
        var network = new InMemoryNetwork();
        var settings = new CoapServerSettings { Network = network, Endpoints = [ServerEndpoint.InMemory("peer")], Links = [capture.Link], Stream = new() { MaxMessageSize = 1 << 20 } };
        settings = settings with { TimeProvider = time ?? settings.TimeProvider, LoggerFactory = log ?? settings.LoggerFactory };
        var bytes = new byte[payload];
        "on"u8.CopyTo(bytes.AsSpan(payload - 2));
        await using var server = new CoapServer(settings);
        server.Resources.At("light").Get(_ => new CoapResponse(ResponseCode.Content) { Payload = bytes }, HandlerMode.Inline);
        server.Start();
        await using var client = new CoapClient(new() { Network = network, Stream = new() { MaxMessageSize = 1 << 20 } });
        return (await client.GetAsync($"{scheme}://peer/light")).PayloadText.TrimStart('\0');
    }

    private sealed class FullStream(int room) : MemoryStream
    {
        public override void Write(byte[] buffer, int offset, int count)
        {
            if (Length + count > room) { throw new IOException("No space left on device."); }
            base.Write(buffer, offset, count);
        }
    }
}
