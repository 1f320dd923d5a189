using System.CommandLine;
using System.Net;
using System.Net.Sockets;
using CoAP.Tool.Connecting;

namespace CoAP.Tool.Serving;

/// <summary>The arguments that say where a server listens, and with which keys.</summary>
internal sealed class EndpointArguments
{
    private const string Default = "coap://localhost:5683", Dtls = "coaps", Tls = "coaps+tcp";

    private readonly Option<string[]> _endpoints = new("--listen")
    {
        HelpName = "ENDPOINT",
        Description = "An address such as coap://*:5683, coaps://192.0.2.7 or coap+tcp://[::1]:5683, repeatable. "
            + "\"*\" means all addresses of the machine. Port 0 selects a free port.",
        DefaultValueFactory = static _ => [Default],
    };

    private readonly Option<string[]> _keys = new("--psk")
    {
        HelpName = "IDENTITY:KEY",
        Description = "A pre-shared key of a client for coaps, repeatable. KEY is text, or 0x and hexadecimal digits.",
    };

    private readonly Option<string?> _certificate = new("--cert")
    {
        HelpName = "FILE",
        Description = "The certificate of the server for coaps and coaps+tcp (PEM). Needs --key.",
    };

    private readonly Option<string?> _certificateKey = new("--key") { HelpName = "FILE", Description = "The private key of the certificate (PEM)." };

    private readonly Option<string?> _authority = new("--ca")
    {
        HelpName = "FILE",
        Description = "The authority (PEM) that must have issued the certificates of clients. Needs --cert.",
    };

    public void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _endpoints, _keys, _certificate, _certificateKey, _authority }) { command.Add(option); }
        Together.Require(command, _certificate, _certificateKey);
        command.Validators.Add(result =>
        {
            if (result.GetResult(_certificate) is null && result.GetResult(_authority) is not null) { result.AddError("--ca needs --cert and --key."); }
        });
    }

    /// <summary>Creates the settings of the server.</summary>
    /// <exception cref="FormatException">An endpoint or a key is malformed, or an endpoint lacks a key.</exception>
    public CoapServerSettings ToSettings(ParseResult arguments)
    {
        var endpoints = ReadEndpoints(arguments.GetRequiredValue(_endpoints));
        PreSharedKey[] keys = [.. (arguments.GetValue(_keys) ?? []).Select(PreSharedKeyText.Parse)];
        var hasCertificate = arguments.GetValue(_certificate) is not null;
        Check(endpoints, keys.Length > 0, hasCertificate);
        var settings = new CoapServerSettings { Endpoints = endpoints };
        if (hasCertificate) { settings = settings with { Tls = ToTls(arguments) }; }
        return endpoints.Any(static endpoint => endpoint.Scheme == Dtls) ? settings with { Dtls = ToDtls(arguments, keys) } : settings;
    }

    private static void Check(ServerEndpoint[] endpoints, bool hasKeys, bool hasCertificate)
    {
        var (hasDtls, hasTls) = (endpoints.Any(static endpoint => endpoint.Scheme == Dtls), endpoints.Any(static endpoint => endpoint.Scheme == Tls));
        var problem =
            hasDtls && !DtlsPlatform.IsSupported ? DtlsPlatform.Describe()
            : hasDtls && !hasKeys && !hasCertificate ? "coaps needs a key: give --psk, or --cert and --key. \"coap keygen\" creates them."
            : hasTls && !hasCertificate ? "coaps+tcp needs --cert and --key. \"coap keygen certificate\" creates them."
            : hasKeys && !hasDtls ? "--psk is for coaps. Add such an endpoint: --listen coaps://localhost:5684."
            : hasCertificate && !hasDtls && !hasTls ? "--cert is for coaps and coaps+tcp. Add such an endpoint: --listen coaps://localhost:5684."
            : null;
        if (problem is not null) { throw new FormatException(problem); }
    }

    private TlsServerSettings ToTls(ParseResult arguments)
    {
        var roots = arguments.GetValue(_authority) is { } file ? PemFiles.ReadRoots(file) : null;
        return new TlsServerSettings { Certificate = ReadCertificate(arguments), TrustedRoots = roots, RequiresClientCertificate = roots is not null };
    }

    private DtlsServerSettings ToDtls(ParseResult arguments, PreSharedKey[] keys)
    {
        var roots = arguments.GetValue(_authority) is { } file ? PemFiles.ReadRoots(file) : null;
        return new DtlsServerSettings
        {
            PreSharedKeys = keys.Length > 0 ? PskStore.From(keys) : null,
            Certificate = arguments.GetValue(_certificate) is null ? null : ReadCertificate(arguments),
            TrustedRoots = roots,
            RequiresClientCertificate = roots is not null,
        };
    }

    private TlsCertificateSource ReadCertificate(ParseResult arguments)
    {
        var (file, keyFile) = (arguments.GetValue(_certificate)!, arguments.GetValue(_certificateKey)!);
        PemFiles.Read(file, keyFile).Dispose();      // names the file if it cannot be read
        return TlsCertificateSource.FromFiles(file, keyFile);
    }

    // "localhost" stands for two addresses. Many containers have no IPv6.
    private static ServerEndpoint[] ReadEndpoints(IEnumerable<string> texts)
    {
        ServerEndpoint[] all = [.. texts.SelectMany(ServerEndpoint.ParseAll)];
        var loopback = all.Where(static endpoint => endpoint.Address.Address.Equals(IPAddress.IPv6Loopback)).ToArray();
        return loopback.Length == 0 || loopback.Length == all.Length || HasIPv6() ? all : [.. all.Except(loopback)];
    }

    private static bool HasIPv6()
    {
        try
        {
            using var probe = new Socket(AddressFamily.InterNetworkV6, SocketType.Dgram, ProtocolType.Udp);
            probe.Bind(new IPEndPoint(IPAddress.IPv6Loopback, 0));
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
