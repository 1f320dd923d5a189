using CoAP.Discovery;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance.Rfc9177;

/// <summary>A server that takes robust transfers, and a scripted client. 20 ms each way, blocks of 16 bytes.</summary>
/// <remarks>In the scripts 19 is Q-Block1, 31 is Q-Block2, 292 is Request-Tag; their values are NUM, M and SZX in one byte: 0x18 is 1/1/16.</remarks>
internal sealed class RobustServerUnderTest : IDisposable
{
    /// <param name="settings">The settings of the server.</param>
    /// <param name="isSmall">Whether messages have room for 16 bytes only; otherwise the body fits into one.</param>
    public RobustServerUnderTest(CoapServerSettings? settings = null, bool isSmall = true)
    {
        Wire = new Wire(new ManualClock()) { Latency = TimeSpan.FromMilliseconds(20) };
        settings ??= new CoapServerSettings();
        if (isSmall) { settings = settings with { ServerTransfers = settings.ServerTransfers with { MaxDatagramPayload = 16, PreferredBlockSize = 16 } }; }
        Server = LaneEnd.Server(Wire, Map, settings);
        Client = ScriptedPeer.Client(Wire);
    }

    public Wire Wire { get; }

    public LaneEnd Server { get; }

    public ScriptedPeer Client { get; }

    public List<string> Bodies { get; } = [];

    public int Gets { get; private set; }

    /// <summary>An observable resource with the body <see cref="Large"/>.</summary>
    public Resource State { get; private set; } = null!;

    /// <summary>40 bytes: three blocks.</summary>
    public string Large { get; set; } = "The first block.The second block.The end";

    /// <summary>The body of a resource without an ETag of its own.</summary>
    public string Untagged { get; set; } = "";

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }

    private void Map(ResourceMap resources)
    {
        WellKnownCore.MapOn(resources);
        resources.At("path").Put((request, _) =>
        {
            Bodies.Add(request.PayloadText);
            return new(Response.Changed);
        });
        resources.At("report").Hidden()
            .Post(request => Body(request.PayloadText + Large[1..]), HandlerMode.Inline)
            .Delete(_ =>
            {
                Bodies.Add("deleted");
                return Response.Deleted;
            }, HandlerMode.Inline);
        resources.At("untagged").Hidden().Get(_ => Response.Content(Untagged), HandlerMode.Inline);
        State = resources.At("state").Hidden().Observable(keepsFresh: false).Get(_ => Body(Large), HandlerMode.Inline);
        resources.At("large").Get((_, _) =>
        {
            Gets++;
            return new(Body(Large));
        });
    }

    private static CoapResponse Body(string text) =>
        Response.Content(System.Text.Encoding.UTF8.GetBytes(text), ContentFormats.TextPlain, new ETag(new byte[] { 0x13 }));
}
