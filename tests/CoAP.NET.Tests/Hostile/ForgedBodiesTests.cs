using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Forged addresses, each of which begins a body that takes much room, so that nobody else can.</summary>
public sealed class ForgedBodiesTests : IDisposable
{
    private static readonly string Block = new('x', 512);

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;

    public ForgedBodiesTests() => _server = LaneEnd.Server(_wire, Map, new CoapServerSettings
    {
        Amplification = new() { ExemptsLoopback = false },
        ServerTransfers = new() { MaxTotalSize = 64 << 10, StreamWindow = 4 << 10 },
    });

    public void Dispose() => _server.Dispose();

    [Theory, Trait("RFC", "9175 2.4"), Trait("RFC", "7959 7.1")]
    [InlineData("PUT /stream {Block1: 0/1/512, Size1: 1000} '512'", 0x5F)]
    [InlineData("PUT /whole {Block1: 0/1/512, Size1: 1000} '512'", 0x5F)]
    [InlineData("GET /stream {Block2: 0/0/64}", 0x45)]
    public void A_verified_address_still_finds_room(string request, byte code)
    {
        request = request.Replace("512'", $"{Block}'");
        for (var peer = 0; peer < 50; peer++)
        {
            using var forged = ScriptedPeer.Client(_wire, $"forged{peer}");
            forged.Send(With($"NON [0x0001] {request}", ""));
            forged.TakeAll(seconds: 0.01);
        }
        using var client = ScriptedPeer.Client(_wire);

        client.Send($"CON [0x0001] {request}");
        client.Expect("ACK [0x0001] 4.01 {Max-Age: 0, Echo: E}");
        client.Send(With($"CON [0x0002] {request}", "Echo: E, "));

        // Streams are read by other threads.
        while (!_wire.RunUntil(() => _wire.Sent(Direction.ToClient).Any(one => one.To == client.Self && one.Bytes[1] == code), TimeSpan.Zero)) { _server.AwaitWork(); }
    }

    private static string With(string request, string option) => request.Replace("{", $"{{{option}");

    private static void Map(ResourceMap map)
    {
        map.At("stream")
            .Put(async (request, cancellationToken) =>
            {
                await request.Body.CopyToAsync(Stream.Null, cancellationToken);
                return Response.Changed;
            })
            .Get(_ => Response.Content(new MemoryStream(new byte[5000]), ContentFormats.OctetStream), HandlerMode.Inline)
            .StreamsBody();
        map.At("whole").Put(_ => Response.Changed, HandlerMode.Inline);
    }
}
