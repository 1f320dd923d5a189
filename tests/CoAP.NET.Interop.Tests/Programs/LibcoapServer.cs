using System.Globalization;
using System.Net;
using System.Net.Sockets;

namespace CoAP.Interop.Tests.Programs;

/// <summary>libcoap's server on a free port, which answers over UDP and TCP and lets clients make resources.</summary>
internal sealed class LibcoapServer : IAsyncDisposable
{
    private const int Attempts = 5;
    private const string LogDebug = "7";
    private const string MaxResources = "10";

    private readonly RunningProgram _program;
    private readonly string _address;

    private LibcoapServer(RunningProgram program, string address, int port) => (_program, _address, Port) = (program, address, port);

    public int Port { get; }

    public static Task<LibcoapServer> StartAsync(string address) => StartAsync(Needed.CoapServer, address, "created TCP", []);

    /// <summary>One that loses this many per cent of the datagrams that it sends.</summary>
    public static Task<LibcoapServer> StartLossyAsync(string address, int loss) =>
        StartAsync(Needed.CoapServer, address, "created TCP", ["-l", string.Create(CultureInfo.InvariantCulture, $"{loss}%")]);

    /// <summary>One that serves TLS on the port above its own.</summary>
    public static Task<LibcoapServer> StartSecuredAsync(string program, CertificateFiles files) =>
        StartAsync(program, "127.0.0.1", "created TLS", ["-c", files.Certificate, "-j", files.Key, "-C", files.Authority, "-n"]);

    /// <summary>One that serves DTLS on the port above its own, for clients with a certificate of the authority.</summary>
    public static Task<LibcoapServer> StartSecuredAsync(string program, string address, IssuedCertificate own, TestAuthority authority) =>
        StartAsync(program, address, "created DTLS", ["-c", own.File, "-j", own.KeyFile, "-C", authority.File]);

    /// <summary>One that serves DTLS with a pre-shared key on the port above its own.</summary>
    public static Task<LibcoapServer> StartWithKeyAsync(string program, string key, string address = "127.0.0.1") =>
        StartAsync(program, address, "created DTLS", ["-k", key]);

    /// <summary>One that serves DTLS with a raw public key on the port above its own. It accepts each raw public key.</summary>
    public static Task<LibcoapServer> StartWithRawKeyAsync(string program, string file) => StartAsync(program, "127.0.0.1", "created DTLS", ["-M", file]);

    private static async Task<LibcoapServer> StartAsync(string name, string address, string lastLine, string[] more)
    {
        for (var attempt = 1; ; attempt++)
        {
            var port = FreePort(IPAddress.Parse(address));
            var number = port.ToString(CultureInfo.InvariantCulture);
            var program = RunningProgram.Start(name, ["-A", address, "-p", number, "-d", MaxResources, "-v", LogDebug, .. more]);
            var line = await program.LineAsync(line => line.Contains(lastLine, StringComparison.Ordinal) || IsFailure(line));
            if (!IsFailure(line)) { return new(program, address, port); }
            await program.DisposeAsync();
            if (attempt == Attempts) { throw new InvalidOperationException(line); }
        }
    }

    public string Base(string scheme) => _address.Contains(':') ? $"{scheme}://[{_address}]:{Port}" : $"{scheme}://{_address}:{Port}";

    public override string ToString() => _program.ToString();

    public ValueTask DisposeAsync() => _program.DisposeAsync();

    // It goes on with the other transport when somebody took the port in between, so its complaint has to be looked for.
    private static bool IsFailure(string line) => line.Contains("cannot create", StringComparison.Ordinal);

    private static int FreePort(IPAddress address)
    {
        using var tcp = new Socket(address.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        tcp.Bind(new IPEndPoint(address, 0));
        return ((IPEndPoint)tcp.LocalEndPoint!).Port;
    }
}
