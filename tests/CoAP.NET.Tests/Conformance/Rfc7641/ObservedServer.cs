using System.Text;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our server with a resource that can be observed, and a client that follows a script. ACK_RANDOM_FACTOR is 1.</summary>
public abstract class ObservedServer : IDisposable
{
    private protected ObservedServer(CoapServerSettings? settings = null)
    {
        Server = LaneEnd.Server(Wire, Map, settings ?? Settings);
        Client = ScriptedPeer.Client(Wire);
    }

    private protected static CoapServerSettings Settings { get; } = new() { Transmission = new() { AckRandomFactor = 1 } };

    private protected static CoapServerSettings NonConfirmable { get; } = Settings with { ServerObservations = new() { IsConfirmable = false } };

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Server { get; }

    private protected ScriptedPeer Client { get; }

    /// <summary>The resource /temperature.</summary>
    private protected Resource Temperature { get; private set; } = null!;

    /// <summary>What the handler of /temperature answers.</summary>
    private protected CoapResponse State { get; set; } = Celsius("18.5 Cel");

    /// <summary>How often the handler was called.</summary>
    private protected int Calls { get; private set; }

    /// <summary>The resource /slow and its handler.</summary>
    private protected Resource SlowResource { get; private set; } = null!;

    private protected LateAnswer Slow { get; } = new();

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected static CoapResponse Celsius(string text, params ReadOnlySpan<CoapOption> options) =>
        new(ResponseCode.Content) { Options = [new MaxAge(15), .. options], Payload = Encoding.UTF8.GetBytes(text) };

    /// <summary>Registers with token 0x4a.</summary>
    private protected void Register(ScriptedPeer? client = null)
    {
        client ??= Client;
        client.Send("CON [0x1633] GET /temperature (Token 0x4a) {Observe: 0}");
        client.Expect("ACK [0x1633] 2.05 Content (Token 0x4a) {Observe: 1, Max-Age: 15} '18.5 Cel'");
    }

    private protected void Change(string text)
    {
        State = Celsius(text);
        Temperature.NotifyChanged();
    }

    private void Map(ResourceMap resources)
    {
        Temperature = resources.At("temperature").Observable().Get(Read, HandlerMode.Inline);
        SlowResource = resources.At("slow").Observable().Get(Slow.HandleAsync);
        resources.At("plain").Get(_ => Celsius("1"), HandlerMode.Inline);
    }

    private CoapResponse Read(IncomingRequest request)
    {
        Calls++;
        return State;
    }
}
