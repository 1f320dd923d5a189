using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Clients that ask one server for different names (RFC 6066, section 3), for example those of two tenants.</summary>
public sealed class ServerNameIdentityTests : IDisposable
{
    private static readonly byte[] KeyOfA = [.. "the key at a"u8], KeyOfB = [.. "the key at b"u8];
    private static readonly TimeSpan SessionTime = TimeSpan.FromSeconds(5);

    private readonly Wire _wire = new(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(10) };
    private readonly List<LaneEnd> _ends = [];

    public void Dispose() => _ends.ForEach(static end => end.Dispose());

    [Fact, Trait("RFC", "6066 3")]
    public async Task The_same_identity_under_another_name_is_another_peer_if_the_store_reads_the_name()
    {
        Serve(new Tenants());

        (await WhoAsync(Client("one", KeyOfA), "a.example")).Should().Be("key@a.example device-1");
        (await WhoAsync(Client("two", KeyOfB), "B.example")).Should().Be("key@b.example device-1");
    }

    [Fact]
    public async Task The_same_identity_is_one_peer_if_the_store_does_not_read_the_name()
    {
        Serve(PskStore.From(new PreSharedKey("device-1", KeyOfA)));

        (await WhoAsync(Client("one", KeyOfA), "a.example")).Should().Be("key device-1");
        (await WhoAsync(Client("two", KeyOfA), "b.example")).Should().Be("key device-1");
    }

    [Fact, Trait("RFC", "5077 3")]
    public async Task A_resumed_session_has_the_same_identity()
    {
        var store = new Tenants();
        Serve(store);
        var cut = Client("one", KeyOfA);
        await WhoAsync(cut, "a.example");
        _wire.RunFor(SessionTime * 2);

        (await WhoAsync(cut, "a.example")).Should().Be("key@a.example device-1");

        store.Asked.Should().Be(1, "the second session resumes the first one");
    }

    [Theory, Trait("RFC", "6066 3"), InlineData("a.example", true), InlineData("A.EXAMPLE", true), InlineData("b.example", false), InlineData(null, false)]
    public void A_session_is_resumed_only_under_the_same_name(string? name, bool expected)
    {
        foreach (var hasTickets in new[] { true, false })
        {
            using var server = new ServerHandshakes(new() { PreSharedKeys = PskStore.From(static _ => KeyOfA) });
            using var context = SslContext.ForPreSharedKeys(isServer: false, "PSK-AES128-CCM8");
            if (!hasTickets) { _ = SslCalls.SetOptions(context, SslCalls.NoTicket); }
            using var first = ShakeHands(server, context, "a.example", earlier: null);

            using var second = ShakeHands(server, context, name, first.ExportForResumption());

            (second.IsDone, second.IsResumed).Should().Be((true, expected), hasTickets ? "tickets" : "IDs");
        }
    }

    private static OpenSslHandshake ShakeHands(ServerHandshakes server, SslContext context, string? name, byte[]? earlier)
    {
        var client = new OpenSslHandshake(context, null) { PskIdentity = [65], PskKey = [.. KeyOfA] };
        if (name is not null) { client.SetServerName(name); }
        if (earlier is not null) { client.Resume(earlier); }
        client.Begin();
        server.Begin(out var asking, new HandshakeStart(null, client.TakeOutput()[0].Content, default));
        using (asking) { client.Feed(asking.TakeOutput()[0].Content); }
        server.Begin(out var side, new HandshakeStart(null, client.TakeOutput()[0].Content, default));
        using (side)
        {
            (side.PskIdentity, side.PskKey) = ([65], [.. KeyOfA]);
            while (!client.IsDone || !side.IsDone)
            {
                Pass(side, client);
                Pass(client, side);
            }
        }
        return client;
    }

    private static void Pass(OpenSslHandshake from, OpenSslHandshake to)
    {
        foreach (var message in from.TakeOutput().Where(static one => one.Type == ContentType.Handshake)) { to.Feed(message.Content); }
    }

    private void Serve(IPskStore keys) => _ends.Add(LaneEnd.Server(
        _wire,
        static map => map.At("who").Get(static (request, _) => new(Response.Content(request.Credentials!.Identity!))),
        new CoapServerSettings { Dtls = new DtlsServerSettings { PreSharedKeys = keys, ComputesOnLane = true } }));

    private LaneEnd Client(string name, byte[] key)
    {
        var settings = new DtlsClientSettings { PreSharedKey = new("device-1", key), ComputesOnLane = true, SessionTimeout = SessionTime };
        _ends.Add(LaneEnd.Client(_wire, new CoapClientSettings { Dtls = settings }, name));
        return _ends[^1];
    }

    private async Task<string> WhoAsync(LaneEnd client, string host)
    {
        var answer = client.Send(new CoapRequest(RequestCode.Get, "/who"), PeerNames.OfServer(_wire.Server, host));
        _wire.RunUntil(() => answer.IsCompleted);
        return (await answer).PayloadText;
    }

    private sealed class Tenants : IPskStore
    {
        public int Asked { get; private set; }

        public ValueTask<byte[]?> FindAsync(PskRequest request, CancellationToken cancellationToken)
        {
            Asked++;
            return new(request.ServerName switch { "a.example" => KeyOfA, "b.example" => KeyOfB, _ => null });
        }
    }
}
