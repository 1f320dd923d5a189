using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;
using CoAP.Tests.Dtls.Certificates;
using CoAP.Tests.Dtls.Handshakes;

namespace CoAP.Tests.Dtls.Interop;

/// <summary>Handshakes and data with the "openssl" program, over sockets.</summary>
[Trait("Category", "Loopback")]
public sealed class OpenSslToolTests : IDisposable
{
    private const string Key = "0102030405060708";
    private const string Name = "server.example";
    private const string AnyStrength = ":@SECLEVEL=0";      // since version 3.2, OpenSSL has CCM_8 only with it

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly Socket _socket;
    private readonly OpenSslCipher _cipher = new();
    private readonly byte[] _buffer = new byte[4096];
    private readonly string _folder = Directory.CreateTempSubdirectory("coap-").FullName;
    private readonly long _started = TimeProvider.System.GetTimestamp();
    private Process? _tool;
    private int _longest;     // record that has arrived

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
        Directory.Delete(_folder, recursive: true);
    }

    [SkippableTheory, Trait("RFC", "6347 4.2.6"), Trait("RFC", "6347 4.2")]
    [InlineData("PSK-AES128-CCM8"), InlineData("PSK-AES128-GCM-SHA256"), InlineData("PSK-AES256-GCM-SHA384"), InlineData("PSK-CHACHA20-POLY1305")]
    [InlineData("ECDHE-PSK-CHACHA20-POLY1305")]
    public async Task Our_server_shakes_hands_with_s_client(string cipher)
    {
        using var server = new ServerEnd(_cipher, SslContext.ForPreSharedKeys(isServer: true, cipher), usesIds: true, new HandshakeSettings());
        server.Keys["device-7"] = Convert.FromHexString(Key);

        await ServeAsync(server, $"-psk {Key} -psk_identity device-7 -cipher {cipher}{AnyStrength}");
    }

    [SkippableTheory, Trait("RFC", "6347 4.2.6"), Trait("RFC", "5246 7.4.8"), Trait("RFC", "6347 4.2")]
    [InlineData("ECDHE-ECDSA-AES128-CCM8", false), InlineData("ECDHE-ECDSA-AES128-GCM-SHA256", false), InlineData("ECDHE-RSA-AES128-GCM-SHA256", true)]
    public async Task Our_server_and_s_client_trust_the_certificates_of_each_other(string cipher, bool isRsa)
    {
        using var authority = new TestAuthority();
        using var ofServer = authority.IssueServer(Name, isRsa: isRsa);
        using var ofClient = authority.IssueClient("device-7");
        var context = SslContext.ForCertificates(isServer: true, cipher, ofServer, [], asks: true, requires: true);
        using var server = new ServerEnd(_cipher, context, usesIds: true, new HandshakeSettings()) { Check = new CertificateCheck([authority.Root]) };

        await ServeAsync(server, $"-cipher {cipher}{AnyStrength} {Files(ofClient, authority)} -verify_return_error -servername {Name} -verify_hostname {Name}");

        server.Side!.Peer.Certificate!.Subject.Should().Be("CN=device-7");
    }

    [SkippableTheory, Trait("RFC", "6347 4.2")]
    [InlineData("PSK-AES128-CCM8"), InlineData("PSK-AES128-GCM-SHA256"), InlineData("PSK-CHACHA20-POLY1305"), InlineData("ECDHE-PSK-CHACHA20-POLY1305")]
    public async Task Our_client_shakes_hands_with_s_server(string cipher)
    {
        using var context = SslContext.ForPreSharedKeys(isServer: false, cipher);
        using var side = new OpenSslHandshake(context, ReadOnlyMemory<byte>.Empty) { PskIdentity = "device-7"u8.ToArray(), PskKey = Convert.FromHexString(Key) };

        await AskAsync(side, $"-psk {Key} -nocert -cipher {cipher}{AnyStrength}");
    }

    [SkippableTheory, Trait("RFC", "6347 4.2.6"), Trait("RFC", "5246 7.4.8"), Trait("RFC", "6347 4.2")]
    [InlineData("ECDHE-ECDSA-AES128-CCM8", false), InlineData("ECDHE-ECDSA-CHACHA20-POLY1305", false), InlineData("ECDHE-RSA-AES256-GCM-SHA384", true)]
    public async Task Our_client_and_s_server_trust_the_certificates_of_each_other(string cipher, bool isRsa)
    {
        using var authority = new TestAuthority();
        using var ofServer = authority.IssueServer(Name, isRsa: isRsa);
        using var ofClient = authority.IssueClient("device-7");
        using var context = SslContext.ForCertificates(isServer: false, cipher, ofClient, []);
        using var side = new OpenSslHandshake(context, ReadOnlyMemory<byte>.Empty) { Peer = new() { Certificates = new CertificateCheck([authority.Root], Name) } };
        side.SetServerName(Name);

        await AskAsync(side, $"-cipher {cipher}{AnyStrength} {Files(ofServer, authority)} -Verify 1 -verify_return_error");

        side.Peer.Certificate!.Subject.Should().Be($"CN={Name}");
    }

    [SkippableTheory, Trait("RFC", "6066 4"), Trait("RFC", "7925 15"), InlineData(512), InlineData(1024)]
    public async Task S_server_sends_the_short_records_that_our_client_asks_for(int length)
    {
        using var authority = new TestAuthority();
        using var ofServer = authority.IssueServer(Name, AddNames);
        using var ofClient = authority.IssueClient("device-7", AddNames);
        using var context = SslContext.ForCertificates(isServer: false, "ECDHE-ECDSA-AES128-GCM-SHA256", ofClient, []);
        var check = new CertificateCheck([authority.Root], Name);
        using var side = new OpenSslHandshake(context, null) { Peer = new() { Certificates = check } };
        side.SetServerName(Name);
        side.SetMaxContent(length);

        await AskAsync(side,
            $"-cipher ECDHE-ECDSA-AES128-GCM-SHA256{AnyStrength} {Files(ofServer, authority)} -Verify 1 -verify_return_error");

        side.MaxContent.Should().Be(length);
        _longest.Should().BeLessThanOrEqualTo(length + DtlsRecord.HeaderLength + CipherSuite.Preferred.Max(static suite => suite.Overhead));

        static void AddNames(SubjectAlternativeNameBuilder names)
        {
            names.AddDnsName(Name);
            for (var i = 0; i < 60; i++) { names.AddDnsName($"name-{i}.of-the-test.example"); }
        }
    }

    private async Task ServeAsync(ServerEnd server, string arguments)
    {
        var received = "";
        server.Received = content => received += Encoding.ASCII.GetString(content);
        var tool = Start($"s_client -dtls1_2 -connect 127.0.0.1:{((IPEndPoint)_socket.LocalEndPoint!).Port} {arguments} -quiet");
        await tool.StandardInput.WriteLineAsync("hello server");
        EndPoint from = new IPEndPoint(IPAddress.Any, 0);
        while (!received.Contains("hello server", StringComparison.Ordinal) && Now < Patience.Ticks)
        {
            if (TryReceive(ref from, out var datagram)) { server.OnDatagram(datagram, PeerIdentity.From((IPEndPoint)from), Now, answer => _socket.SendTo(answer, from)); }
            if (server.Machine is { } machine) { Deliver(machine, from); }
        }
        received.Should().Contain("hello server", server.Machine?.Failure ?? "");

        Seal(server.Machine!.Session!, "hello client\n", from);

        (await tool.StandardOutput.ReadLineAsync().WaitAsync(Patience)).Should().Be("hello client");
    }

    private async Task AskAsync(OpenSslHandshake side, string arguments)
    {
        var port = LastingPorts.NextUdp().Port;
        var tool = Start($"s_server -dtls1_2 -accept 127.0.0.1:{port} {arguments} -listen -quiet");
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

    // Writes the certificate, its key and the authority into files of the test.
    private string Files(X509Certificate2 certificate, TestAuthority authority)
    {
        var (own, key, ca) = (Path.Combine(_folder, "own.pem"), Path.Combine(_folder, "key.pem"), Path.Combine(_folder, "ca.pem"));
        using var ecdsa = certificate.GetECDsaPrivateKey();
        using var rsa = certificate.GetRSAPrivateKey();
        File.WriteAllText(own, certificate.ExportCertificatePem());
        File.WriteAllText(key, ecdsa?.ExportPkcs8PrivateKeyPem() ?? rsa!.ExportPkcs8PrivateKeyPem());
        File.WriteAllText(ca, authority.Root.ExportCertificatePem());
        return $"-cert {own} -key {key} -CAfile {ca}";
    }

    private void OnClient(HandshakeMachine client, OpenSslHandshake side, byte[] datagram)
    {
        var rest = datagram.AsSpan();
        while (DtlsRecord.TryRead(ref rest, 0, out var record))
        {
            _longest = Math.Max(_longest, DtlsRecord.HeaderLength + record.Body.Length);
            client.OnRecord(record, Now);
        }
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
