namespace CoAP.Benchmarks.Load;

/// <summary>A request of honest peers that needs one limit.</summary>
/// <param name="Name">Its name in tables.</param>
/// <param name="Schemes">The URI schemes of the peers.</param>
/// <param name="RunAsync">Runs it once. The argument is the URI of the server. Returns whether it succeeded.</param>
internal sealed record Errand(string Name, string[] Schemes, Func<CoapClient, string, CancellationToken, Task<bool>> RunAsync)
{
    private const int BodySize = 4096;

    private static readonly TimeSpan LongestTurn = TimeSpan.FromSeconds(15);

    private static readonly string[] Plain = ["coap", "coap+tcp"];

    /// <summary>The time after which it counts as lost.</summary>
    public TimeSpan Patience { get; private init; } = HonestPeer.Patience;

    /// <summary>The request of every honest peer.</summary>
    public static Errand Greet { get; } = new("GET /hello", Plain, static async (client, server, stop) =>
        (await client.GetAsync($"{server}/hello", stop)).IsSuccess);

    public static Errand Wait { get; } = new("GET /slow?ms=1", Plain, static async (client, server, stop) =>
        (await client.GetAsync($"{server}/slow?ms=1", stop)).IsSuccess);

    /// <summary>A body in blocks over UDP, to the server and back.</summary>
    public static Errand Transfer { get; } = new("POST of 4 KiB", Plain, static async (client, server, stop) =>
        await client.PostAsync($"{server}/echo", new byte[BodySize], null, stop) is { IsSuccess: true, Payload.Length: BodySize });

    public static Errand Read { get; } = new("PUT of 4 KiB", Plain, static async (client, server, stop) =>
        (await client.PutAsync($"{server}/blocking", new byte[BodySize], null, stop)).IsSuccess);

    public static Errand Observe { get; } = new("observe /time", Plain, static async (client, server, stop) =>
    {
        var observation = client.ObserveAsync($"{server}/time", stop);
        await foreach (var first in observation) { return first.Response.IsSuccess && observation.State == ObservationState.Active; }
        return false;
    });

    public static Errand Fail { get; } = new("GET /throwing", Plain, static async (client, server, stop) =>
        (await client.GetAsync($"{server}/throwing", stop)).Code == ResponseCode.InternalServerError);

    /// <summary>The first request of a new peer, for a handler that takes 20 ms of its thread.</summary>
    public static Errand Meet { get; } = new("new peer, GET /working", Plain, static async (_, server, stop) =>
    {
        await using var client = HonestPeer.NewClient();
        return (await client.GetAsync($"{server}/working", stop)).IsSuccess;
    });

    /// <summary>A change of a resource on which changes take turns. One whose body is still arriving may keep it waiting for 10 s (MaxBodyTurn).</summary>
    public static Errand Change { get; } = new("PUT /held", Plain, static async (client, server, stop) =>
        (await client.PutAsync($"{server}/held", new byte[] { 1 }, null, stop)).IsSuccess)
    {
        Patience = LongestTurn,
    };

    /// <summary>A new session with its handshake.</summary>
    public static Errand Secure { get; } = new("DTLS handshake", ["coaps"], static async (_, server, stop) =>
    {
        await using var client = HonestPeer.NewClient(new DtlsClientSettings { PreSharedKey = AttackedServer.Key });
        return (await client.GetAsync($"{server}/hello", stop)).IsSuccess;
    });

    /// <summary>A new connection with its handshake.</summary>
    public static Errand Handshake { get; } = new("TLS handshake", ["coaps+tcp"], static async (_, server, stop) =>
    {
        var tls = new TlsClientSettings { ValidateServer = static (_, certificate, _, _) => certificate is not null, AllowsResumption = false };
        await using var client = new CoapClient(new CoapClientSettings { Tls = tls });
        return (await client.GetAsync($"{server}/hello", stop)).IsSuccess;
    });
}
