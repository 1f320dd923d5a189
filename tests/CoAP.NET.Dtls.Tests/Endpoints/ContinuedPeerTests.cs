namespace CoAP.Tests.Dtls.Endpoints;

/// <summary>Clients that begin a new session with the credentials of an earlier one.</summary>
public sealed class ContinuedPeerTests
{
    private static readonly PreSharedKey Key = new("device-7", "a key of 16 bytes"u8);
    private static readonly TransmissionParameters Fast = TransmissionParameters.Default with { AckTimeout = TimeSpan.FromMilliseconds(200) };

    [Theory, InlineData(1), InlineData(4)]
    public async Task Observations_of_a_continued_peer_survive_if_the_application_allows_it(int lanes)
    {
        var renewals = new System.Collections.Concurrent.ConcurrentQueue<PeerRenewal>();
        await using var cut = Pair(new() { ContinuesPeer = static one => one.PreSharedKeyIdentity == "device-7", OnPeerContinued = renewals.Enqueue }, lanes);
        var state = 1;
        var resource = cut.Server.Resources.At("state").Get((_, _) => new(Response.Content($"{Volatile.Read(ref state)}"))).Observable();
        using var relay = new UdpRelay(cut.Server.Endpoints[0].Address);
        await using var client = new CoapClient(new() { Dtls = Client, Transmission = Fast });
        var origin = $"coaps://127.0.0.1:{relay.Port}";
        await using var notifications = client.ObserveAsync(origin + "/state").GetAsyncEnumerator();
        await notifications.MoveNextAsync();

        for (var moves = 1; moves <= 3; moves++)
        {
            // Without connection IDs, the NAT ends the session. The client notices it with its next request.
            relay.Move();
            (await client.GetAsync(origin + "/who")).PayloadText.Should().Be("device-7");
            Volatile.Write(ref state, 10 * moves);
            resource.NotifyChanged();

            do { (await notifications.MoveNextAsync()).Should().BeTrue(); }
            while (notifications.Current.Response.PayloadText != $"{10 * moves}");
        }

        renewals.Should().HaveCount(3).And.OnlyContain(static one => one.Credentials.PreSharedKeyIdentity == "device-7" && one.Former != one.Peer);
        renewals.Skip(1).Select(static one => one.Former).Should().Equal(renewals.Take(2).Select(static one => one.Peer));
        resource.ObserverCount.Should().Be(1);
    }

    [Fact]
    public async Task By_default_each_session_is_a_separate_peer()
    {
        await using var cut = Pair(new() { ContinuesPeer = static _ => false, OnPeerContinued = static _ => throw new InvalidOperationException() }, lanes: 1);
        await using var other = new CoapClient(new() { Dtls = Client });
        cut.Client.Resources.At("lamp").Get(static (_, _) => new(Response.Content("on")));
        var first = await cut.Client.GetAsync(cut.Origin + "/peer");

        (await other.GetAsync(cut.Origin + "/peer")).PayloadText.Should().NotBe(first.PayloadText);

        (await cut.Client.GetAsync(cut.Origin + "/peer")).PayloadText.Should().Be(first.PayloadText);
    }

    [Fact]
    public async Task The_callbacks_of_the_application_may_fail()
    {
        await using var cut = Pair(new() { ContinuesPeer = static _ => throw new InvalidOperationException() }, lanes: 1);
        await using var other = Pair(new() { ContinuesPeer = static _ => true, OnPeerContinued = static _ => throw new InvalidOperationException() }, lanes: 1);
        await using var third = new CoapClient(new() { Dtls = Client });

        (await cut.Client.GetAsync(cut.Origin + "/who")).PayloadText.Should().Be("device-7");
        (await other.Client.GetAsync(other.Origin + "/who")).PayloadText.Should().Be("device-7");
        (await third.GetAsync(other.Origin + "/who")).PayloadText.Should().Be("device-7");
    }

    private static DtlsClientSettings Client => new() { PreSharedKey = Key, ConnectionIdLength = null };

    private static SecuredPair Pair(DtlsServerSettings server, int lanes)
    {
        var pair = new SecuredPair(
            server with { PreSharedKeys = PskStore.From(Key) }, Client, isInMemory: false, settings => settings with { Lanes = OperatingSystem.IsLinux() ? lanes : 1 });
        pair.Server.Resources.At("peer").Get((request, _) => new(Response.Content(request.Peer.ToString())));
        return pair;
    }
}
