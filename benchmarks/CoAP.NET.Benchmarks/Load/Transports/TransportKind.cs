using System.Security.Cryptography.X509Certificates;

namespace CoAP.Benchmarks.Load;

/// <summary>A transport as it is measured.</summary>
/// <param name="Name">Its name in tables.</param>
/// <param name="Address">The name of its address.</param>
/// <param name="Scheme">The scheme of its URIs; <c>null</c> if the server is found by a path.</param>
internal sealed record TransportKind(string Name, string Address, string? Scheme)
{
    /// <summary>Whether large bodies go in sets of blocks (RFC 9177), which needs them in memory.</summary>
    public bool IsRobust { get; private init; }

    public bool IsDatagram => Address == "udp";

    public static IReadOnlyList<TransportKind> All { get; } =
    [
        new("UDP block-wise", "udp", "coap"),
        new("UDP Q-Block", "udp", "coap") { IsRobust = true },
        new("TCP", "tcp", "coap+tcp"),
        new("TLS", "tls", "coaps+tcp"),
        new("WebSocket", "ws", "coap+ws"),
        new("Unix socket", "unix", null),
    ];

    /// <summary>Opens a client with sockets of its own.</summary>
    public async Task<TransportClient> OpenAsync(ServerProcess server, int outstanding = 1)
    {
        var client = new CoapClient(Limits.Client with
        {
            Tls = new TlsClientSettings { TrustedRoots = [X509CertificateLoader.LoadCertificate(Convert.FromBase64String(server["certificate"]))] },
            ClientTransfers = new ClientTransferSettings { RobustMode = IsRobust ? RobustMode.WhenSupported : RobustMode.Off, MaxResponseBody = Array.MaxLength },
        });
        if (Scheme is null) { return new TransportClient(client, "", await client.OpenUnixAsync(server[Address])); }
        if (IsDatagram && outstanding > 1) { client.SetNStart(PeerIdentity.From(server.EndPointOf(Address)), outstanding); }
        return new TransportClient(client, $"{Scheme}://127.0.0.1:{server.PortOf(Address)}", null);
    }
}

/// <summary>One client on one connection or socket.</summary>
internal sealed class TransportClient(CoapClient client, string root, IChannel? channel) : IAsyncDisposable
{
    /// <summary>The size above which a body is fetched in parts, because block numbers end (RFC 7959, section 2.2).</summary>
    public const long LargestBody = 1L << 30;

    private static readonly byte[] SmallPayload = new byte[32];

    /// <summary>Sends a small packet to the server and back.</summary>
    public async Task EchoAsync()
    {
        var answer = await SendAsync(RequestCode.Post, "/echo", SmallPayload);
        if (answer.Payload.Length != SmallPayload.Length) { throw new InvalidOperationException($"{answer.Payload.Length} bytes came back."); }
    }

    /// <summary>Fetches a body, into a stream that counts it or into memory.</summary>
    public async Task DownloadAsync(long size, bool intoMemory)
    {
        for (var left = size; left > 0; left -= LargestBody)
        {
            var part = Math.Min(left, LargestBody);
            var sink = new CountingStream();
            var answer = await SendAsync(RequestCode.Get, $"/body?size={part}{(intoMemory ? "&memory" : "")}", target: intoMemory ? null : BodyTarget.To(sink));
            if (answer.Payload.Length + sink.Count != part) { throw new InvalidOperationException($"{answer.Payload.Length + sink.Count} of {part} bytes came."); }
        }
    }

    public async Task<CoapResponse> SendAsync(CoapCode method, string path, ReadOnlyMemory<byte> payload = default, BodyTarget? target = null)
    {
        var request = new CoapRequest(method, root + path) { Payload = payload, ResponseBody = target };
        return (channel is null ? await client.SendAsync(request) : await channel.SendAsync(request)).EnsureSuccess();
    }

    public ValueTask DisposeAsync() => client.DisposeAsync();
}
