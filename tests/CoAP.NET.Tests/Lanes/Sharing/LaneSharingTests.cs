using CoAP.Datagrams;
using CoAP.Transports;

namespace CoAP.Tests.Lanes;

/// <summary>Two lanes share nothing that a request writes: neither what their fields lead to, nor what is static.</summary>
[Collection("Loopback"), Trait("Category", "Loopback")]
public sealed class LaneSharingTests
{
    // The ring of lanes is walked by messages that no lane could match, such as answers of a server to requests of ours; never by a request.
    private const string Ring = "DatagramLane._next";

    // The endpoint waits for the end of its lanes.
    private const string End = "LaneRunner._ended";

    // The server itself, which only subscribers of its events get to see.
    private const string Sender = "ChannelEvents.sender";

    // Bytes that nobody touches, behind what is.
    private const string Gap = "BatchedUdpTransport._gap";

    // The meter reads the counters of each lane and of its transport, which only the lane writes, and the ledgers of all endpoints of the
    // process. The tests of two lanes look at the ledger of their server.
    private static readonly string[] ReadByTheMeter = ["CounterGroup._open", "LedgerMetrics.Open"];

    /// <summary>All that can be written and that both lanes lead to, with the reason why a request to an inline handler does not write it.</summary>
    private static readonly (string Why, string[] Places)[] Known =
    [
        ("Made once and only read afterwards; the compiler or the class library does not say so.",
        [
            "HandlerThreads.run", "WaitingItems.threads", "WaitingItems.unsent", "Handler.mode", "Handler.invoke", "ResponseBudget.limit",
            "InputRoom.book", "HandlerThreads.queue", "HandlerThreads.threads", "HandlerThreads.unsent",
            "Resource.handler", "EndpointAuthorization.pipeline", "EndpointAuthorization.timeout", "EndpointAuthorization.runtime",
            "Ledger.", "Ledger.setting",
            "ChannelEvents.sender", "ChannelEvents.Log", "CategoryLogger._loggers", "Lines.category", "Lines.writer",
            "BatchedUdpSocket.LocalEndPoint", "ServerEndpoint.Address", "Keys.Current", "Keys.Previous", "Entry.Segment",
            "PayloadFormats._formats", "OptionRegistry._declarations", "OptionRegistry._signals", "OptionSpace._direct", "OptionDeclaration._small", "OptionDeclaration._spaces",
            "RouteNode._literals", "RouteNode._constrained", "RouteNode._placeholder", "RouteNode._wildcard", "RouteNode._resource", "LiteralTable._slots", "Slot.Deeper", "RouteTemplate.Segments",
        ]),
        ("Written when a resource is mapped or described.",
        [
            "ResourceMap._root", "ResourceMap._version", "ResourceMap._changing", "Resource._handlers", "Resource._conditions", "Resource._rate", "Resource._steps", "FeatureSet._features",
            "ResourceDescription._consumed", "ResourceDescription._produced", "ResourceDescription._link", "ResourceDescription._isHidden",
        ]),
        ("Written when a handler is called, or a reason to refuse is met, for the first time.", ["Table._made"]),
        ("Written when a handler moves or was slow, and some 30 times after that; read otherwise.",
        [
            "Handler._slowness", "Handler._hasWaited", "Handler._isBuffered", "Handler._returns",
        ]),
        ("The queue in front of buffered handlers, whose threads serve all lanes: an inline handler has none.",
        [
            "HandlerThreads._gate", "HandlerThreads._count", "HandlerThreads._isCompleted", "HandlerThreads._parked",
            "HandlerThreads._coming",
            "HandlerThreads._withQuick", "HandlerThreads._spreads", "HandlerThreads._takenBefore", "WaitingItems._first",
            "WaitingItems._waiting", "WaitingItems._turns", "WaitingItems._changes", "WaitingItems.Count", "WaitingItems.Quick",
            "WaitingItems.Taken", "HandlerThreads._lookedAt", "WaitingItems.MayHaveRoom", "Handler._quickCalls", "Handler._slowTime",
            "Handler._lastSlowCall", "Handler._moves",
        ]),
        ("Written when a peer begins or ceases to hold something that outlasts its request.", ["LedgerBook._gate", "LedgerBook._held", "LedgerBook._used", "LedgerBook._refused", "LedgerBook._onRelease", "InputRoom._gate", "InputRoom._waiting", "InputRoom._turns", "InputRoom._oversized"]),
        ("Written when a channel opens or closes while somebody has subscribed to that, and when somebody subscribes.",
        [
            "ChannelEvents._gate", "ChannelEvents._waiting", "ChannelEvents._places", "ChannelEvents._untold", "ChannelEvents._taken", "ChannelEvents._untoldCount",
            "ChannelEvents._isRaising", "ChannelEvents._lost", "ChannelEvents.Opened", "ChannelEvents.Closed",
        ]),
        ("Written by a client that collects a response in blocks.", ["ResponseBudget._held"]),
        ("Written when an authorizer takes time to decide.", ["EndpointAuthorization._mayWait"]),
        ("Written once, with the tag of a representation that is cut into blocks.", ["CoapResponse._related"]),
        ("Written once in the lifetime of a key, with the next Echo value.", ["EchoKeys._keys", "EchoKeys._rotating"]),
        ("Written when a warning or an error is logged.", ["EndpointLog._gates", "EndpointLog._count"]),
        ("Fires at the end of the endpoint.", ["ExchangeLane.Stopping"]),
        ("Written when /.well-known/core is asked for and something was mapped since.", ["WellKnownCore._listing"]),
    ];

    [SkippableFact]
    public void Objects_shared_by_two_lanes_are_immutable_or_never_written_by_requests()
    {
        using var load = Started();
        load.Ask(rounds: 3).Should().OnlyContain(static taken => taken > 0, "both lanes have to have served");

        var (left, right) = (GraphOf(load.Lanes[0]), GraphOf(load.Lanes[1]));
        var shared = SharedState.Between(left, right);

        shared.SelectMany(item => SharedState.WritableIn(item, left.PlaceOf(item))).Distinct().Should().BeSubsetOf(Known.SelectMany(static one => one.Places));
    }

    [SkippableFact]
    public void Requests_change_nothing_that_two_lanes_share()
    {
        using var load = Started();
        load.Ask(rounds: 3);
        var (left, right) = (GraphOf(load.Lanes[0]), GraphOf(load.Lanes[1]));
        var shared = SharedState.Between(left, right);

        shared.Should().NotBeEmpty();
        ChangedByRequests(load, [.. shared.Select(item => (left.PlaceOf(item), ContentOf(item)))]).Should().BeEmpty();
    }

    [SkippableFact]
    public void Requests_change_nothing_that_is_static()
    {
        using var load = Started();
        load.Ask(rounds: 3);
        var statics = SharedState.Statics().ToList();
        var graph = ObjectGraph.From(statics.Select(static field => (ObjectGraph.NameOf(field), field.GetValue(null)!)), ReadByTheMeter);
        var fields = statics.Select(static field => (ObjectGraph.NameOf(field), (Func<List<object?>>)(() => SharedState.ContentOf([field]))));

        ChangedByRequests(load, [.. fields, .. graph.Objects.Select(item => (graph.PlaceOf(item), ContentOf(item)))]).Should().BeEmpty();
    }

    /// <remarks>What was made before the first request: that stays in its order, and what a lane makes later comes from memory of its thread.</remarks>
    [SkippableTheory]
    [InlineData(0, 1)]
    [InlineData(1, 0)]
    public void No_cache_line_that_one_lane_writes_holds_anything_of_the_other(int writer, int neighbour)
    {
        using var load = Started();
        var (written, touched) = (GraphOf(load.Lanes[writer]), GraphOf(load.Lanes[neighbour]));
        var before = written.Objects.Where(item => !touched.Contains(item)).Select(static item => (Item: item, Content: SharedState.ContentOf(item))).ToList();
        load.Ask(rounds: 3);
        var hot = before.Where(static one => !SharedState.IsSame(one.Content, SharedState.ContentOf(one.Item))).Select(static one => one.Item).ToList();

        for (var twice = 0; twice < 2; twice++) { GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true); }     // nothing moves for a while
        var lines = touched.Objects.Where(item => !written.Contains(item) && touched.PlaceOf(item) != Gap).SelectMany(CacheLine.Of).ToHashSet();

        hot.Should().NotBeEmpty();
        hot.Where(item => CacheLine.Of(item).Any(lines.Contains)).Select(written.PlaceOf).Should().BeEmpty();
    }

    /// <remarks>What requests write changes each time; what ends late of tests before this one changes once.</remarks>
    private static IEnumerable<string> ChangedByRequests(SharedLoad load, IReadOnlyList<(string Place, Func<List<object?>> Read)> places)
    {
        for (var times = 0; times < 3; times++)
        {
            var before = places.Select(static one => one.Read()).ToList();
            load.Ask(rounds: 10).Should().OnlyContain(static taken => taken > 0, "both lanes have to have served");
            places = [.. places.Where((one, at) => !SharedState.IsSame(before[at], one.Read()))];
        }
        return places.Select(static one => one.Place);
    }

    private static Func<List<object?>> ContentOf(object item) => () => SharedState.ContentOf(item);

    private static ObjectGraph GraphOf(DatagramLane lane) => ObjectGraph.From(lane, Ring, End, Sender);

    private static SharedLoad Started()
    {
        Skip.IfNot(UdpTransport.SupportsSharedPorts, "only Linux spreads the peers of one port over several sockets");
        return new SharedLoad();
    }
}
