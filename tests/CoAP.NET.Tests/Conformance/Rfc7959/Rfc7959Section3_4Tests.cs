using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>The flows of RFC 7959, section 3.4: notifications of which the rest is fetched, with our server in them. Observe numbers are ours; Size2 is said though the figures leave it out.</summary>
public sealed class Rfc7959Section3_4ServerTests : IDisposable
{
    private static readonly string Icon = string.Concat(Enumerable.Range(0, 80).Select(i => $"{i:d4},"))[..309];

    private readonly Wire _wire = new(new ManualClock());
    private readonly LaneEnd _server;
    private readonly ScriptedPeer _client;
    private Resource _resource = null!;
    private byte[] _eTag = [0x6f, 0x00, 0xf3, 0x8e];
    private int _reads;

    public Rfc7959Section3_4ServerTests()
    {
        var settings = new CoapServerSettings { Transmission = new() { AckRandomFactor = 1 }, ServerTransfers = new() { PreferredBlockSize = 128, MaxDatagramPayload = 128 } };
        _server = LaneEnd.Server(_wire, map => _resource = map.At("status-icon").Get(_ => Read(), HandlerMode.Inline).Observable(), settings);
        _client = ScriptedPeer.Client(_wire);
    }

    public void Dispose()
    {
        _server.Dispose();
        _client.Dispose();
    }

    // CLIENT  SERVER
    //   +----->|  GET /status-icon  T 0xfb  Observe: (empty)
    //   |<-----+  2.05  T 0xfb  Block2: 0/1/128  Observe: 62350  ETag: 6f00f38e  Max-Age: 60
    //   |      |  (Usual GET transfer left out)
    //   |<-----+  2.05  T 0xfb  Block2: 0/1/128  Observe: 62354  ETag: 6f00f392     (Notification of first block)
    //   +- - ->|  ACK
    //   +----->|  GET /status-icon  T 0xfc  Block2: 1/0/128      (Retrieval of remaining blocks)
    //   |<-----+  2.05  T 0xfc  Block2: 1/1/128  ETag: 6f00f392
    //   +----->|  GET /status-icon  T 0xfc  Block2: 2/0/128
    //   |<-----+  2.05  T 0xfc  Block2: 2/0/128  ETag: 6f00f392  [53 bytes]
    [Fact, Trait("RFC", "7959 3.4"), Trait("RFC", "7959 2.6")]
    public void Figure_12_Observe_sequence_with_block_wise_response()
    {
        Observe(wish: "", size: 128);
        Fetch(2, 128, "0x6f00f392");

        _reads.Should().Be(2, "one for the registration, one for the notification");
    }

    //   +----->|  GET /status-icon  T 0xfb  Observe: (empty)  Block2: 0/0/64
    //   |<-----+  2.05  T 0xfb  Block2: 0/1/64  Observe: 62350  ETag: 6f00f38e
    //   |<-----+  2.05  T 0xfb  Block2: 0/1/64  Observe: 62354  ETag: 6f00f392
    //   +- - ->|  ACK
    //   +----->|  GET /status-icon  T 0xfc  Block2: 1/0/64
    //   |<-----+  2.05  T 0xfc  Block2: 1/1/64  ETag: 6f00f392
    //     ....
    //   +----->|  GET /status-icon  T 0xfc  Block2: 4/0/64
    //   |<-----+  2.05  T 0xfc  Block2: 4/0/64  ETag: 6f00f392  [53 bytes]
    [Fact, Trait("RFC", "7959 3.4"), Trait("RFC", "7959 2.6")]
    public void Figure_13_Observe_sequence_with_early_negotiation()
    {
        Observe(wish: ", Block2: 0/0/64", size: 64);
        Fetch(4, 64, "0x6f00f392");

        _reads.Should().Be(2);
    }

    private void Observe(string wish, int size)
    {
        _client.Send($"CON [0x1636] GET /status-icon (Token 0xfb) {{Observe: 0{wish}}}");
        _client.Expect($"ACK [0x1636] 2.05 Content (Token 0xfb) {{ETag: 0x6f00f38e, Observe: 1, Max-Age: 60, Block2: 0/1/{size}, Size2: 309}} '{Icon[..size]}'");
        _eTag = [0x6f, 0x00, 0xf3, 0x92];
        _resource.NotifyChanged();
        _client.Expect($"CON [X] 2.05 Content (Token 0xfb) {{ETag: 0x6f00f392, Observe: 2, Max-Age: 60, Block2: 0/1/{size}, Size2: 309}} '{Icon[..size]}'");
        _client.Send("ACK [X]");
    }

    private void Fetch(int last, int size, string eTag)
    {
        for (var number = 1; number <= last; number++)
        {
            var (from, to) = (number * size, Math.Min(309, (number + 1) * size));
            _client.Send($"CON [0x{0x1636 + number:x4}] GET /status-icon (Token 0xfc) {{Block2: {number}/0/{size}}}");
            _client.Expect($"ACK [0x{0x1636 + number:x4}] 2.05 Content (Token 0xfc) {{ETag: {eTag}, Max-Age: 60, Block2: {number}/{(number < last ? 1 : 0)}/{size}}} '{Icon[from..to]}'");
        }
    }

    private CoapResponse Read()
    {
        _reads++;
        return new(ResponseCode.Content) { Options = [new ETag(_eTag), new MaxAge(60)], Payload = Encoding.ASCII.GetBytes(Icon) };
    }
}
