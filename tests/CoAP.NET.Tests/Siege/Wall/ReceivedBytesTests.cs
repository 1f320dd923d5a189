using System.Net;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Serialization;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Connections of one address that begin messages and do not complete them.</summary>
public sealed class ReceivedBytesTests : IAsyncDisposable
{
    private const int Limit = 1 << 20;
    private const int Connections = 200;

    private static readonly IPAddress Attacker = IPAddress.Parse("192.0.2.1");
    private static readonly IPEndPoint Honest = new(IPAddress.Parse("198.51.100.7"), 5683);
    private static readonly string TooSlow = Hex.Text("A message arrived too slowly while its account used more than half of its share of memory."u8);
    private static readonly string NoRoom = Hex.Text("There was no room for a message within 60 s."u8);
    private static readonly byte[] Csm = Hex.Bytes("00 e1");

    // A message of 64 KiB, of which about half is sent.
    private static readonly byte[] Begun = Put(65_500)[..33_000];
    private static readonly byte[] Whole = Put(5 << 10);

    private readonly ManualClock _time = new();
    private readonly StreamHost _host;
    private readonly LedgerBook _book;

    public ReceivedBytesTests()
    {
        _host = new StreamHost(settings => settings with { MaxInFlightSize = 2 * Limit, TimeProvider = _time, Stream = new() { MaxRequestsInProgress = 1 } });
        _book = _host.Server.Lanes.OfType<ExchangeLane>().First().Ledger.Input.Book;
    }

    public async ValueTask DisposeAsync() => await _time.PassAsync(_host.DisposeAsync().AsTask());

    [Fact]
    public async Task An_honest_peer_is_served_while_others_do_not_complete_their_messages()
    {
        var attackers = await BeginAsync();
        _book.Used.Should().BeInRange(Limit / 4, (Limit / 2) + (64 << 10), "one account gets at most half, plus bytes that were read ahead");

        using (var honest = await ConnectAsync(Honest)) { await ServeAsync(honest); }

        attackers.ForEach(static attacker => attacker.Dispose());
        await _host.Server.TakeTurnsUntilAsync(() => _book is { Used: 0, Count: 0 });
    }

    [Fact]
    public async Task Messages_without_progress_end_while_their_account_uses_much_of_its_share_and_so_do_those_that_wait()
    {
        var attackers = await BeginAsync();

        var ends = attackers.Select(static attacker => ReadToEndAsync(attacker)).ToList();
        await _time.PassAsync(Task.WhenAll(ends));

        ends.Should().OnlyContain(static end => end.IsCompletedSuccessfully);
        var reasons = ends.Select(static end => end.Result).ToList();
        reasons.Should().Contain(reason => reason.Contains(TooSlow));
        reasons.Should().Contain(reason => reason.Contains(NoRoom));
        await _host.Server.TakeTurnsUntilAsync(() => _book is { Used: 0, Count: 0 });
        attackers.ForEach(static attacker => attacker.Dispose());
    }

    [Fact]
    public async Task A_message_that_makes_progress_goes_on_while_others_hold_their_share()
    {
        var attackers = await BeginAsync();
        using var honest = await ConnectAsync(Honest);
        var message = Put(60_000);

        for (var at = 0; at < message.Length; at += 6000)
        {
            honest.Send(message.AsSpan(at, Math.Min(6000, message.Length - at))).Should().BeTrue();
            await _host.Server.TakeTurnsAsync(2);
            _time.Advance(TimeSpan.FromSeconds(5));
            await _host.Server.TakeTurnsAsync(2);
        }

        (await honest.ReadAsync()).Should().EndWith("ff" + Hex.Text("60000"u8));
        attackers.ForEach(static attacker => attacker.Dispose());
    }

    [Fact]
    public async Task A_slow_message_of_an_account_that_holds_little_goes_on_while_others_hold_their_share()
    {
        var attackers = await BeginAsync();
        using var honest = await ConnectAsync(Honest);

        for (var at = 0; at < Whole.Length; at += 600)
        {
            honest.Send(Whole.AsSpan(at, Math.Min(600, Whole.Length - at))).Should().BeTrue();
            await _host.Server.TakeTurnsAsync(2);
            _time.Advance(TimeSpan.FromSeconds(5));
            await _host.Server.TakeTurnsAsync(2);
        }

        (await honest.ReadAsync()).Should().EndWith("ff" + Hex.Text("5120"u8));
        attackers.ForEach(static attacker => attacker.Dispose());
    }

    [Fact]
    public async Task Bytes_that_were_read_ahead_count()
    {
        using var peer = await ConnectAsync(Honest);
        // The reads grow with a large message. The next read contains a request whose handler waits, and further requests.
        await peer.SendAsync(Put(65_000));
        await peer.ReadAsync();
        await peer.SendAsync((byte[])[.. Hex.Bytes("71 01 02 b4 77616974 01 67"), .. Enumerable.Repeat(Hex.Bytes("31 01 43 b2 6869"), 3000).SelectMany(static hi => hi)]);
        await _host.Server.TakeTurnsUntilAsync(() => _book.Used > 0);
        var used = _book.Used;

        peer.Dispose();
        _host.Gate("g").SetResult();
        await _time.PassAsync(_host.Server.TakeTurnsUntilAsync(() => _book is { Used: 0, Count: 0 }), TimeSpan.FromMinutes(1));

        used.Should().BeGreaterThan(4 << 10);
        _book.Used.Should().Be(0);
    }

    private async Task<List<RawPeer>> BeginAsync()
    {
        var attackers = new List<RawPeer>();
        for (var port = 10_000; port < 10_000 + Connections; port++)
        {
            attackers.Add(await ConnectAsync(new IPEndPoint(Attacker, port)));
            attackers[^1].Send(Begun).Should().BeTrue();
        }
        await _host.Server.TakeTurnsAsync(200);
        return attackers;
    }

    private async Task<RawPeer> ConnectAsync(IPEndPoint address)
    {
        var peer = new RawPeer(_host.Network.Connect(PeerIdentity.From(address), PeerIdentity.From(StreamHost.Name)));
        peer.Send(Csm).Should().BeTrue();
        await peer.ReadAsync();
        return peer;
    }

    private static async Task ServeAsync(RawPeer honest)
    {
        for (var i = 0; i < 3; i++)
        {
            honest.Send(Whole).Should().BeTrue();
            (await honest.ReadAsync()).Should().EndWith("ff" + Hex.Text("5120"u8));
        }
    }

    private static async Task<string> ReadToEndAsync(RawPeer peer)
    {
        var last = "";
        while (await peer.ReadAsync() is { } message) { last = message; }
        return last;
    }

    private static byte[] Put(int size) => new StreamSerializer(OptionRegistry.Default).Serialize(
        new CoapMessage { Code = RequestCode.Put, Token = new Token([1]), Options = [new UriPath("size")], Payload = new byte[size] });
}
