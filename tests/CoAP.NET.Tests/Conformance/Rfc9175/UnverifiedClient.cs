using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our server, which trusts no address, and a client that follows a script. ACK_RANDOM_FACTOR is 1.</summary>
public abstract class UnverifiedClient : IDisposable
{
    private protected UnverifiedClient()
    {
        Server = LaneEnd.Server(Wire, Map, Settings);
        Client = ScriptedPeer.Client(Wire);
    }

    private protected static CoapServerSettings Settings { get; } = new()
    {
        Transmission = new() { AckRandomFactor = 1 },
        Amplification = new() { ExemptsLoopback = false },
    };

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Server { get; }

    private protected ScriptedPeer Client { get; }

    /// <summary>The handler of /slow.</summary>
    private protected LateAnswer Slow { get; } = new();

    /// <summary>What was put to /lock.</summary>
    private protected List<string> Lock { get; } = [];

    /// <summary>How often /log was posted to.</summary>
    private protected int Posts { get; private set; }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected static CoapResponse Payload(CoapCode code, int length) => new(code) { Payload = new byte[length] };

    private void Map(ResourceMap resources)
    {
        resources.At("lock").Put(Turn, HandlerMode.Inline).RequiresFreshness(TimeSpan.FromSeconds(10));
        resources.At("of/{size}").Get(request => Payload(ResponseCode.Content, int.Parse(request["size"])), HandlerMode.Inline);
        resources.At("slow").Get(Slow.HandleAsync).Post(Slow.HandleAsync);
        resources.At("long").Post(_ => new(ResponseCode.Created) { Options = [new LocationPath(new string('x', 200))] }, HandlerMode.Inline);
        resources.At("log").Post(
            _ =>
            {
                Posts++;
                return Payload(ResponseCode.Changed, 500);
            },
            HandlerMode.Inline);
    }

    private CoapResponse Turn(IncomingRequest request)
    {
        Lock.Add(request.PayloadText);
        return Response.Changed;
    }
}
