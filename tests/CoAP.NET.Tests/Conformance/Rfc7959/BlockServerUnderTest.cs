using System.Globalization;
using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our server, which prefers blocks of 128 bytes as in the figures of RFC 7959, and a client that follows a script.</summary>
public abstract class BlockServerUnderTest : IDisposable
{
    private protected BlockServerUnderTest(ServerTransferSettings? settings = null)
    {
        Settings = new() { Transmission = new() { AckRandomFactor = 1 }, ServerTransfers = settings ?? new() { PreferredBlockSize = 128, MaxDatagramPayload = 128 } };
        Server = LaneEnd.Server(Wire, Map, Settings);
        Client = ScriptedPeer.Client(Wire);
    }

    private protected CoapServerSettings Settings { get; }

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Server { get; }

    private protected ScriptedPeer Client { get; }

    /// <summary>The bodies that handlers were given.</summary>
    private protected List<string> Bodies { get; } = [];

    /// <summary>How often /status was asked for.</summary>
    private protected int Reads { get; private set; }

    /// <summary>The representation of /status.</summary>
    private protected string Status { get; set; } = Text(340);

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
        GC.SuppressFinalize(this);
    }

    /// <summary>A text of which each part tells where it stands.</summary>
    private protected static string Text(int length) => string.Concat(Enumerable.Range(0, (length / 5) + 1).Select(i => $"{i:d4},"))[..length];

    /// <summary>A block of that text.</summary>
    private protected static string Part(int length, int number, int size) => Text(length)[(number * size)..Math.Min(length, (number + 1) * size)];

    private protected void Map(ResourceMap resources)
    {
        resources.At("status").Get(_ => Read(), HandlerMode.Inline);
        resources.At("options").Put(request => Keep(request, ResponseCode.Changed), HandlerMode.Inline).Post(request => Keep(request, ResponseCode.Changed), HandlerMode.Inline);
        resources.At("soap").Post(request => Keep(request, ResponseCode.Changed, Text(int.Parse(request.Query("n")!, CultureInfo.InvariantCulture))), HandlerMode.Inline);
        resources.At("fetch").Fetch(request => Keep(request, ResponseCode.Content, string.Concat(Enumerable.Repeat(request.PayloadText, 300))), HandlerMode.Inline);
        resources.At("refused").Put(_ => Response.Error(ResponseCode.Forbidden, "not here"), HandlerMode.Inline);
    }

    private CoapResponse Read()
    {
        Reads++;
        return new(ResponseCode.Content) { Options = [new ETag(new byte[] { 1 })], Payload = Encoding.UTF8.GetBytes(Status) };
    }

    private CoapResponse Keep(IncomingRequest request, CoapCode code, string body = "")
    {
        Bodies.Add(request.PayloadText);
        return new(code) { Payload = Encoding.UTF8.GetBytes(body) };
    }
}
