using System.Text;
using CoAP.Interop.Tests.Programs;

namespace CoAP.Interop.Tests;

/// <summary>What tshark reads in our own captures.</summary>
[Trait("Category", "Interop")]
public sealed class PcapngTests
{
    [SkippableTheory]
    [InlineData("coap", "udp")]
    [InlineData("coap+tcp", "tcp")]
    public async Task Tshark_reads_code_path_and_payload_without_a_malformed_packet(string scheme, string transport)
    {
        Needed.Programs(Needed.TShark);
        var file = Path.Combine(Path.GetTempPath(), $"coap-{Guid.NewGuid():N}.pcapng");
        await using (var capture = PcapngCapture.ToFile(file)) { await ExchangeAsync(capture, scheme); }

        var lines = await ReadAsync(file, "-Y", $"{transport} && coap.code < 224", "-T", "fields", "-e", "coap.code", "-e", "coap.opt.uri_path", "-e", $"{transport}.payload");
        // tshark 4.0 takes the options of signaling messages, which have numbers of their own, for those of requests (RFC 8323, section 5.2).
        const string Wrong = "(_ws.malformed || ip.checksum.status == 0 || udp.checksum.status == 0 || tcp.checksum.status == 0 || tcp.analysis.flags) && coap.code < 224";
        var wrong = await ReadAsync(file, "-Y", Wrong);
        File.Delete(file);

        wrong.Should().BeEmpty();
        var codes = lines.Select(line => line.Split('\t')).ToArray();
        codes.Select(field => field[0]).Should().Equal("3", "68", "1", "69");
        codes.Select(field => field[1]).Should().Equal("store,note", "", "store,note", "");
        Encoding.UTF8.GetString(Convert.FromHexString(codes[0][2])).Should().EndWith("buy milk");
        Encoding.UTF8.GetString(Convert.FromHexString(codes[3][2])).Should().EndWith("buy tea");
    }

    [SkippableFact]
    public async Task Tshark_reassembles_a_message_of_many_segments()
    {
        Needed.Programs(Needed.TShark);
        var file = Path.Combine(Path.GetTempPath(), $"coap-{Guid.NewGuid():N}.pcapng");
        await using (var capture = PcapngCapture.ToFile(file)) { await ExchangeAsync(capture, "coap+tcp", size: 200_000); }

        var sizes = await ReadAsync(file, "-Y", "coap.code == 69", "-T", "fields", "-e", "tcp.reassembled.length");
        File.Delete(file);

        sizes.Should().ContainSingle().Which.Should().Match(size => int.Parse(size) > 200_000);
    }

    [SkippableFact]
    public async Task Tshark_sees_how_a_connection_begins()
    {
        Needed.Programs(Needed.TShark);
        var file = Path.Combine(Path.GetTempPath(), $"coap-{Guid.NewGuid():N}.pcapng");
        await using (var capture = PcapngCapture.ToFile(file)) { await ExchangeAsync(capture, "coap+tcp", size: 200_000); }

        var beginning = await ReadAsync(file, "-Y", "tcp.flags.syn == 1", "-T", "fields", "-e", "frame.number", "-e", "tcp.flags.ack", "-e", "tcp.dstport");
        var suspicious = await ReadAsync(file, "-Y", "tcp.analysis.flags");
        File.Delete(file);

        beginning.Select(line => line.Split('\t')[0]).Should().Equal("1", "2");
        beginning[0].Should().EndWith("5683", "the client connects to the server");
        suspicious.Should().BeEmpty();
    }

    private static async Task ExchangeAsync(PcapngCapture capture, string scheme, int size = 0)
    {
        var (network, stream) = (new InMemoryNetwork(), new StreamSettings { MaxMessageSize = 1 << 20 });
        var body = size == 0 ? "buy tea"u8.ToArray() : new byte[size];
        await using var server = new CoapServer(new() { Network = network, Endpoints = [ServerEndpoint.InMemory("peer")], Links = [capture.Link], Stream = stream });
        server.Resources.At("store/note").Get(_ => new CoapResponse(ResponseCode.Content) { Payload = body }, HandlerMode.Inline).Put(_ => Response.Changed, HandlerMode.Inline);
        server.Start();
        await using var client = new CoapClient(new() { Network = network, Stream = stream });
        await client.PutAsync($"{scheme}://peer/store/note", "buy milk"u8.ToArray(), ContentFormats.TextPlain);
        await client.GetAsync($"{scheme}://peer/store/note");
    }

    private static async Task<IReadOnlyList<string>> ReadAsync(string file, params string[] what)
    {
        string[] settings = ["-n", "-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE", "-o", "tcp.check_checksum:TRUE"];
        var outcome = await RunningProgram.RunAsync(Needed.TShark, [.. settings, "-r", file, .. what]);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        return outcome.Output;
    }
}
