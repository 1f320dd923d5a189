using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Interop.Tests.Programs;

/// <summary>tshark on the loopback interface, as a second opinion on what was sent.</summary>
internal sealed class Capture : IAsyncDisposable
{
    private const string Wrong = "_ws.malformed || coap.invalid_option_number || coap.invalid_option_range || coap.option_length_bad || coap.unknown_option_number";

    /// <summary>
    /// The options of a CSM, Max-Message-Size (2) and Block-Wise-Transfer (4), have the number space of signaling messages (RFC 8323, section
    /// 5.2). tshark judges them by the numbers of requests, whoever sent them: libcoap's are wrong to it as well.
    /// </summary>
    private static readonly string[] WronglyWrong = ["Invalid Option Number 2", "Invalid Option Range: 0 (1 < x < 8)"];

    private readonly RunningProgram _program;
    private readonly string _file;
    private readonly int _port;

    private Capture(RunningProgram program, string file, int port) => (_program, _file, _port) = (program, file, port);

    private string Unjoined => $"{_file}.tcp";

    /// <summary>Begins to listen to the ports of a server at 127.0.0.1. A server with the free port of UDP may find that of TCP taken.</summary>
    public static async Task<Capture> StartAsync(int port, int tcpPort)
    {
        var file = Path.GetTempFileName();
        var program = RunningProgram.Start(
            Needed.TShark, "-n", "-l", "-P", "-d", $"udp.port=={port},coap", "-i", "lo",
            "-f", $"host 127.0.0.1 and (udp port {port} or tcp port {tcpPort})", "-w", file);
        await program.LineAsync(line => line.Contains("Capture started", StringComparison.Ordinal));
        return new(program, file, port);
    }

    /// <summary>
    /// Sends a message whose token is cut off, and ends the capture when it has been seen: all that went before it is in the file then, and
    /// that it is reported shows that malformed messages are.
    /// </summary>
    public async Task EndWithMalformedMessageAsync()
    {
        using var socket = new UdpClient(AddressFamily.InterNetwork);
        await socket.SendAsync(new byte[] { 0x44, 0x01, 0x00, 0x01, 0xAA }, new IPEndPoint(IPAddress.Loopback, _port));
        await _program.LineAsync(line => line.Contains("Malformed Packet", StringComparison.Ordinal));
        await _program.EndAsync(RunningProgram.Interrupt);
        await UnjoinAsync();
    }

    /// <summary>What is wrong with which message.</summary>
    public async Task<IReadOnlyList<string>> WrongMessagesAsync()
    {
        string[] fields = ["-T", "fields", "-e", "_ws.col.Protocol", "-e", "_ws.col.Info", "-e", "_ws.expert.message", "-E", "aggregator=|"];
        var overUdp = await ReadAsync(_file, ["-Y", $"udp && ({Wrong})", .. fields]);
        var overTcp = await ReadAsync(Unjoined, ["-Y", Wrong, .. fields]);
        return [.. overUdp, .. overTcp.Where(line => !IsCsm(line.Split('\t')))];
    }

    /// <summary>How often each code was sent over UDP; a retransmission counts once.</summary>
    public async Task<IReadOnlyDictionary<string, int>> CodesOverUdpAsync()
    {
        var sent = await ReadAsync(
            _file, "-Y", "udp && coap && !_ws.malformed", "-T", "fields", "-e", "udp.srcport", "-e", "coap.mid", "-e", "coap.type", "-e", "coap.code");
        return Count(sent.Distinct().Select(line => line.Split('\t')[^1]));
    }

    /// <summary>How often each code was sent over TCP.</summary>
    public async Task<IReadOnlyDictionary<string, int>> CodesOverTcpAsync() =>
        Count(await ReadAsync(Unjoined, "-Y", "coap", "-T", "fields", "-e", "coap.code"));

    public override string ToString() => _program.ToString();

    public async ValueTask DisposeAsync()
    {
        await _program.DisposeAsync();
        File.Delete(_file);
        File.Delete(Unjoined);
    }

    /// <summary>Gives each message that went over TCP a segment of its own: of a segment with several, tshark looks at the first one only.</summary>
    private async Task UnjoinAsync()
    {
        var segments = await ReadAsync(
            _file, "-Y", "tcp.len > 0", "-T", "fields", "-e", "tcp.stream", "-e", "tcp.srcport", "-e", "tcp.seq", "-e", "tcp.payload");
        // By their numbers in the stream: what tshark holds for a retransmission is sometimes only late.
        var streams = segments.Select(line => line.Split('\t'))
            .DistinctBy(field => (field[0], field[1], field[2]))
            .OrderBy(field => long.Parse(field[2], CultureInfo.InvariantCulture))
            .GroupBy(field => (field[0], field[1]), field => field[3]);
        var messages = streams.SelectMany(stream => StreamSplitter.Split(Convert.FromHexString(string.Concat(stream))));
        var dump = $"{_file}.hex";
        await File.WriteAllLinesAsync(dump, messages.Select(message => $"0000 {string.Join(' ', message.Select(octet => $"{octet:x2}"))}"));
        var outcome = await RunningProgram.RunAsync(Needed.Text2Pcap, "-T", "40000,5683", dump, Unjoined);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        File.Delete(dump);
    }

    private async Task<IReadOnlyList<string>> ReadAsync(string file, params string[] what)
    {
        string[] decoding = ["-n", "-d", $"udp.port=={_port},coap", "-d", "tcp.port==5683,coap"];
        var outcome = await RunningProgram.RunAsync(Needed.TShark, [.. decoding, "-r", file, .. what]);
        outcome.ExitCode.Should().Be(0, "{0}", outcome);
        return outcome.Output;
    }

    private static bool IsCsm(string[] fields) => fields[1].Contains("7.01 CSM", StringComparison.Ordinal) && fields[2].Split('|').All(WronglyWrong.Contains);

    private static Dictionary<string, int> Count(IEnumerable<string> codes) => codes
        .CountBy(code => byte.Parse(code, CultureInfo.InvariantCulture))
        .ToDictionary(count => $"{count.Key >> 5}.{count.Key & 31:00}", count => count.Value);
}
