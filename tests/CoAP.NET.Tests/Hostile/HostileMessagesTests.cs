using CoAP.Options;
using CoAP.Serialization;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Well-formed messages that make no sense together, by chance: no stage may fail, and nothing may stay.</summary>
public sealed class HostileMessagesTests : IDisposable
{
    private const string Nothing = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private static readonly string[] Paths = ["up", "whole", "down", "big", "seen", "late", "nowhere"];
    private static readonly string?[] Queries = [null, null, null, "a", "b"];

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private Resource _seen = null!;

    public HostileMessagesTests() => _server = LaneEnd.Server(_wire, Map, new CoapServerSettings
    {
        Amplification = new() { ExemptsLoopback = false },
        ServerTransfers = new() { MaxTotalSize = 100 << 10, StreamWindow = 1024, MaxBodySize = 30_000, MaxBodiesPerPeer = 4 },
        ServerObservations = new() { UnverifiedTimeout = TimeSpan.FromSeconds(30), ConfirmableInterval = TimeSpan.FromMinutes(5) },
    });

    public void Dispose() => _server.Dispose();

    [Theory]
    [InlineData(1), InlineData(2), InlineData(3), InlineData(4), InlineData(5), InlineData(6)]
    public void No_sequence_of_messages_makes_a_stage_fail_or_leaves_anything(int seed)
    {
        var random = new Random(seed);
        ScriptedPeer[] peers = [.. Enumerable.Range(0, 4).Select(one => ScriptedPeer.Client(_wire, $"peer{one}"))];

        for (var one = 0; one < 4000; one++)
        {
            var peer = peers[random.Next(peers.Length)];
            peer.Send(random.Next(6) == 0 ? Reaction(random, peer) : Request(random));
            if (random.Next(20) == 0) { _seen.NotifyChanged(); }
            peer.TakeAll(random.Next(50) == 0 ? random.Next(40) : 0.01);
        }
        var quieten = Record.Exception(Quieten);

        quieten.Should().BeNull($"seed {seed} left {_server.Leftovers}");
        Array.ForEach(peers, peer => peer.Dispose());
    }

    private static void Map2(ResourceMap map) => map.At("late").Get(async (_, _) =>
    {
        await Task.Yield();
        return Response.Content(new byte[300], ContentFormats.OctetStream);
    }).Post(async (_, _) =>
    {
        await Task.Yield();
        return new CoapResponse(ResponseCode.Changed) { Payload = new byte[3000] };
    });

    private static async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return new CoapResponse(ResponseCode.Changed) { Payload = new byte[100] };
    }

    private static CoapOption? Option(Random random, int which) => which switch
    {
        0 => new Block1(random.Next(4), random.Next(2) == 0, random.Next(8)),
        1 => new Block2(random.Next(3) == 0 ? random.Next(1 << 20) : random.Next(4), random.Next(2) == 0, random.Next(8)),
        2 => new QBlock1(random.Next(12), random.Next(2) == 0, random.Next(3)),
        3 => new QBlock2(random.Next(12), random.Next(2) == 0, random.Next(3)),
        4 => new Observe((uint)random.Next(3)),
        5 => new RequestTag(new byte[] { (byte)random.Next(3) }),
        6 => new NoResponse((uint)random.Next(32)),
        7 => new Size1((uint)(random.Next(2) == 0 ? 16 * random.Next(20) : random.Next())),
        8 => new Size2(0),
        9 => new Echo(new byte[12]),
        10 => new Accept((uint)random.Next(60)),
        _ => new IfNoneMatch(),
    };

    private static byte[] Request(Random random)
    {
        List<CoapOption> options = [new UriPath(Paths[random.Next(Paths.Length)])];
        if (Queries[random.Next(Queries.Length)] is { } query) { options.Add(new UriQuery(query)); }
        foreach (var which in Enumerable.Range(0, 12).Where(which => random.Next(which is 2 or 3 ? 8 : 4) == 0)) { options.Add(Option(random, which)!); }
        if (options.Any(one => one is QBlock1)) { options.Add(new Size1(160)); }
        var distinct = options.GroupBy(one => one.Number).Select(group => group.First());
        var size = 16 << random.Next(7);
        return CoapMessageSerializer.Datagram.Serialize(new CoapMessage
        {
            Type = (MessageType)random.Next(2),
            Code = new[] { RequestCode.Get, RequestCode.Put, RequestCode.Post, RequestCode.Fetch }[random.Next(4)],
            MessageId = new MessageId((ushort)random.Next(65_536)),
            Token = new Token(new byte[] { (byte)random.Next(4) }),
            Options = OptionSet.Create([.. distinct.OrderBy(one => one.Number)]),
            Payload = new byte[random.Next(3) switch { 0 => 0, 1 => size, _ => random.Next(600) }],
        });
    }

    // An acknowledgement or a Reset of what came last, or of a message near it.
    private static byte[] Reaction(Random random, ScriptedPeer peer)
    {
        if (peer.Received.Count == 0) { return [0x60, 0, 0, 1]; }
        var last = peer.Received[^1];
        return [(byte)(0x60 + (16 * random.Next(2))), 0, last[2], (byte)(last[3] + random.Next(2))];
    }

    private void Map(ResourceMap map)
    {
        map.At("up").Put(ReadAsync).Post(ReadAsync).StreamsBody();
        map.At("whole").Put(request => Response.Content($"{request.Payload.Length}"), HandlerMode.Inline).Post(_ => new CoapResponse(ResponseCode.Changed) { Payload = new byte[2500] });
        map.At("down").Get(_ => Response.Content(new MemoryStream(new byte[5000]), ContentFormats.OctetStream), HandlerMode.Inline);
        map.At("big").Get(_ => Response.Content(new byte[20_000], ContentFormats.OctetStream), HandlerMode.Inline).Fetch(request => Response.Content(new byte[200 + request.Payload.Length], 42), HandlerMode.Inline);
        _seen = map.At("seen").Observable(keepsFresh: true).Get(_ => Response.Content(new byte[1500], ContentFormats.OctetStream), HandlerMode.Inline);
        Map2(map);
    }

    // Handlers and the readers of streams run on other threads, which bring their work when they like.
    private void Quieten()
    {
        _wire.RunFor(TimeSpan.FromSeconds(1000));
        while (_server.Leftovers != Nothing)
        {
            if (_server.Lane.PendingRequests > 0 && !_server.Lane.HasInboxWork) { _server.AwaitWork(); }
            _wire.RunFor(TimeSpan.FromSeconds(1000));
        }
    }
}
