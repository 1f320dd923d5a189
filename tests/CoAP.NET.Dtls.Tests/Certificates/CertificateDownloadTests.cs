using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Certificates;

/// <summary>A peer does not send its intermediate certificate, but says where it can be fetched.</summary>
public sealed class CertificateDownloadTests : IDisposable
{
    private const string ServerUse = "1.3.6.1.5.5.7.3.1", ClientUse = "1.3.6.1.5.5.7.3.2";

    private static readonly DateTimeOffset Now = DateTimeOffset.UtcNow;

    private readonly ECDsa _rootKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly ECDsa _key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _root;
    private readonly X509Certificate2 _intermediate;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private int _downloads;

    public CertificateDownloadTests()
    {
        // The platform keeps what it has downloaded, so the names are new each time.
        var name = Guid.NewGuid().ToString("N");
        var root = Authority($"CN=Root {name}", _rootKey);
        _root = root.CreateSelfSigned(Now.AddDays(-1), Now.AddDays(1));
        _intermediate = Authority($"CN=Intermediate {name}", _key).Create(_root.SubjectName, X509SignatureGenerator.CreateForECDsa(_rootKey), Now.AddDays(-1), Now.AddDays(1), [2]);
        _listener.Start();
        _ = ServeAsync();
    }

    public void Dispose()
    {
        _listener.Stop();
        foreach (var one in new IDisposable[] { _root, _intermediate, _rootKey, _key }) { one.Dispose(); }
    }

    // A server must not make connections to wherever a stranger wants. A client has chosen its server.
    [Fact]
    public void A_server_fetches_nothing_and_a_client_does()
    {
        using var ofClient = Issue("device-7", ClientUse);
        using var ofServer = Issue("server.example", ServerUse);

        new CertificateCheck([_root]).Check(ofClient, [], out _).Should().Be(CertificateVerdict.UnknownAuthority);
        Volatile.Read(ref _downloads).Should().Be(0);
        new CertificateCheck([_root], "server.example").Check(ofServer, [], out _).Should().Be(CertificateVerdict.Trusted);
        Volatile.Read(ref _downloads).Should().BePositive();
    }

    private static CertificateRequest Authority(string name, ECDsa key)
    {
        var request = new CertificateRequest(name, key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        return request;
    }

    private X509Certificate2 Issue(string name, string use)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(use)], critical: false));
        request.CertificateExtensions.Add(new X509AuthorityInformationAccessExtension(null, [$"http://127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}/intermediate.cer"]));
        return request.Create(_intermediate.SubjectName, X509SignatureGenerator.CreateForECDsa(_key), Now.AddDays(-1), Now.AddHours(12), RandomNumberGenerator.GetBytes(8));
    }

    private async Task ServeAsync()
    {
        try
        {
            while (true)
            {
                using var connection = await _listener.AcceptTcpClientAsync();
                Interlocked.Increment(ref _downloads);
                var (stream, bytes) = (connection.GetStream(), _intermediate.RawData);
                _ = await stream.ReadAsync(new byte[4096]);
                await stream.WriteAsync(Encoding.ASCII.GetBytes($"HTTP/1.1 200 OK\r\nContent-Length: {bytes.Length}\r\nConnection: close\r\n\r\n"));
                await stream.WriteAsync(bytes);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException or IOException)
        {
            // The test has ended.
        }
    }
}
