using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.Tests.Dtls.Handshakes;

namespace CoAP.Tests.Dtls.Interop;

/// <summary>Handshakes and data with the "openssl" program, over sockets.</summary>
[Trait("Category", "Loopback")]
public sealed class OpenSslToolTests : IDisposable
{
    private const string Key = "0102030405060708";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    private readonly Socket _socket;
    private readonly OpenSslCipher _cipher = new();
    private readonly byte[] _buffer = new byte[4096];
    private readonly long _started = TimeProvider.System.GetTimestamp();
    private Process? _tool;

    public OpenSslToolTests()
    {
        _socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp) { ReceiveTimeout = 100 };
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    }

    private long Now => TimeProvider.System.GetElapsedTime(_started).Ticks;

    public void Dispose()
    {
        if (_tool is { HasExited: false }) { _tool.Kill(); }
        _tool?.Dispose();
        _socket.Dispose();
        _cipher.Dispose();
    }

    [SkippableTheory, Trait("RFC", "6347 4.2")]
    [InlineData("PSK-AES128-CCM8"), InlineData("PSK-AES128-GCM-SHA256"), InlineData("PSK-AES256-GCM-SHA384"), InlineData("PSK-CHACHA20-POLY1305")]
    [InlineData("ECDHE-PSK-CHACHA20-POLY1305")]
    public async Task Our_server_shakes_hands_with_s_client(string cipher)
    {
        using var server = new ServerEnd(_cipher, cipher, usesIds: true, new HandshakeSettings()) { Keys = { ["device-7"] = Convert.FromHexString(Key) } };
        var received = "";
        server.Received = content => received += Encoding.ASCII.GetString(content);
        var tool = Start($"s_client -dtls1_2 -connect 127.0.0.1:{((IPEndPoint)_socket.LocalEndPoint!).Port} -psk {Key} -psk_identity device-7 -cipher {cipher} -quiet");
        await tool.StandardInput.WriteLineAsync("hello server");
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);

        while (!received.Contains("hello server", StringComparison.Ordinal) && Now < Patience.Ticks)
        {
            if (TryReceive(ref from, out var datagram)) { server.OnDatagram(datagram, PeerIdentity.From((IPEndPoint)from), Now, answer => _socket.SendTo(answer, from)); }
            if (server.Machine is { } machine) { Deliver(machine, from); }
        }
        Seal(server.Machine!.Session!, "hello client\n", from);

        received.Should().Contain("hello server");
        (await tool.StandardOutput.ReadLineAsync().WaitAsync(Patience)).Should().Be("hello client");
    }

    [SkippableTheory, Trait("RFC", "6347 4.2")]
    [InlineData("PSK-AES128-CCM8"), InlineData("PSK-AES128-GCM-SHA256"), InlineData("PSK-CHACHA20-POLY1305"), InlineData("ECDHE-PSK-CHACHA20-POLY1305")]
    public async Task Our_client_shakes_hands_with_s_server(string cipher)
    {
        var port = FreePort();
        var tool = Start($"s_server -dtls1_2 -accept 127.0.0.1:{port} -psk {Key} -nocert -cipher {cipher} -listen -quiet");
        using var context = SslContext.ForPreSharedKeys(isServer: false, cipher);
        using var side = new OpenSslHandshake(context, ReadOnlyMemory<byte>.Empty) { PskIdentity = "device-7"u8.ToArray(), PskKey = Convert.FromHexString(Key) };
        var client = new HandshakeMachine(side, _cipher, new HandshakeSettings(), isServer: false);
        EndPoint to = new IPEndPoint(IPAddress.Loopback, port);
        client.OnBegun();
        ServerEnd.Compute(client, side.Begin, Now);

        while (!client.IsDone && client.Failure is null && Now < Patience.Ticks)
        {
            Deliver(client, to);
            if (TryReceive(ref to, out var datagram)) { OnClient(client, side, datagram); }
            client.OnDeadline(Now);
        }
        client.Failure.Should().BeNull();
        client.IsDone.Should().BeTrue();
        Seal(client.Session!, "hello server\n", to);
        (await tool.StandardOutput.ReadLineAsync().WaitAsync(Patience)).Should().Be("hello server");
        await tool.StandardInput.WriteLineAsync("hello client");

        ReadText(client.Session!).Should().Be("hello client\n");
    }

    private static int FreePort()
    {
        using var probe = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        probe.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)probe.LocalEndPoint!).Port;
    }

    private void OnClient(HandshakeMachine client, OpenSslHandshake side, byte[] datagram)
    {
        var rest = datagram.AsSpan();
        while (DtlsRecord.TryRead(ref rest, 0, out var record)) { client.OnRecord(record, Now); }
        while (client.NextMessage() is { } message) { ServerEnd.Compute(client, () => side.Feed(message), Now); }
    }

    private string? ReadText(DtlsSession session)
    {
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        while (Now < 2 * Patience.Ticks)
        {
            if (!TryReceive(ref from, out var datagram)) { continue; }
            var rest = datagram.AsSpan();
            while (DtlsRecord.TryRead(ref rest, 0, out var record))
            {
                if (session.Open(_cipher, record, out var type, out var content) == RecordVerdict.Newest && type == ContentType.ApplicationData)
                {
                    return Encoding.ASCII.GetString(content);
                }
            }
        }
        return null;
    }

    private Process Start(string arguments)
    {
        var info = new ProcessStartInfo("openssl", arguments) { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        try { _tool = Process.Start(info)!; }
        catch (System.ComponentModel.Win32Exception) { Skip.If(Environment.GetEnvironmentVariable("COAP_INTEROP") != "required", "There is no openssl."); }
        return _tool ?? throw new InvalidOperationException("There is no openssl.");
    }

    private bool TryReceive(ref EndPoint from, out byte[] datagram)
    {
        datagram = [];
        try { datagram = _buffer[.._socket.ReceiveFrom(_buffer, ref from)]; }
        catch (SocketException) { return false; }      // nothing within the timeout, or the port is not open yet
        return true;
    }

    private void Deliver(HandshakeMachine machine, EndPoint to)
    {
        while (machine.TryNextDatagram(out var datagram)) { _socket.SendTo(datagram.Span, to); }
    }

    private void Seal(DtlsSession session, string text, EndPoint to)
    {
        var record = new byte[session.LengthOf(text.Length)];
        session.Seal(_cipher, ContentType.ApplicationData, Encoding.ASCII.GetBytes(text), record);
        _socket.SendTo(record, to);
    }
}
