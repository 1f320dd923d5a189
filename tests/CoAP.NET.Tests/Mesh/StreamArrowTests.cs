using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Mesh;

/// <summary>Blocks of users at every arrow of a lane of connections.</summary>
public sealed class StreamArrowTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly TestLog _log = new();

    public static TheoryData<string> All => [.. Arrows.All.Except(Arrows.OfDatagrams)];

    public static TheoryData<string> OfMessages => [.. Arrows.All.Except(Arrows.OfDatagrams).Except(Arrows.OfSignals)];

    public void Dispose() => _log.Dispose();

    [Theory, MemberData(nameof(All))]
    public async Task A_tap_sees_the_traffic(string arrow)
    {
        var tap = new Tap();
        await using var host = Start(arrow, tap);
        using var peer = Play(host);

        await tap.First.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(All))]
    public async Task A_tap_that_fails_stops_nothing(string arrow)
    {
        await using var host = Start(arrow, new Tap(throws: true));
        using var peer = Play(host);
        await _log.FirstError.WaitAsync(Patience);

        await ExpectServiceAsync(peer);
    }

    [Theory, MemberData(nameof(All))]
    public async Task A_filter_drops_an_item_and_the_next_ones_pass(string arrow)
    {
        var behind = new Counter();
        await using var host = Start(arrow, new FirstDropped(), behind);
        using var first = Play(host);
        using var second = Play(host);

        await behind.First.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(All))]
    public async Task A_block_that_items_go_through_gives_them_back(string arrow)
    {
        var behind = new Counter();
        await using var host = Start(arrow, new Through(), behind);
        using var peer = Play(host);

        await behind.First.WaitAsync(Patience);
    }

    [Theory, MemberData(nameof(OfMessages))]
    public async Task A_block_that_fails_is_passed_by(string arrow)
    {
        await using var host = Start(arrow, new Through(throws: true));
        using var peer = Play(host);
        await _log.FirstError.WaitAsync(Patience);

        await ExpectServiceAsync(peer);
    }

    private StreamHost Start(string arrow, params ILinkMaker[] links) =>
        new(settings => settings with { LoggerFactory = _log, Links = [.. links.Select(link => Arrows.Link(arrow, link))] });

    private static RawPeer Play(StreamHost host)
    {
        var peer = RawPeer.Connect(host.Network, StreamHost.Name);
        peer.Send("00 e1  31 01 7a b2 6869  01 e2 42");     // CSM, GET hi, Ping
        return peer;
    }

    private static async Task ExpectServiceAsync(RawPeer peer)
    {
        peer.Send("31 01 7b b2 6869");
        while (await peer.ReadAsync() != "41457bc0ff6869") { }
    }
}
