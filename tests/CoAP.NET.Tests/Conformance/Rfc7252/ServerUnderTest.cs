using System.Text;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our server and a client that follows a script. ACK_RANDOM_FACTOR is 1, so that the waits are exactly those of RFC 7252, section 4.8.</summary>
public abstract class ServerUnderTest : IDisposable
{
    private protected ServerUnderTest()
    {
        Server = LaneEnd.Server(Wire, Map, Settings);
        Client = ScriptedPeer.Client(Wire);
    }

    private protected static CoapServerSettings Settings { get; } = new() { Transmission = new() { AckRandomFactor = 1 } };

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Server { get; }

    private protected ScriptedPeer Client { get; }

    /// <summary>The handler of /slow.</summary>
    private protected LateAnswer Slow { get; } = new();

    /// <summary>How often /counter was called.</summary>
    private protected int Count { get; private set; }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
        GC.SuppressFinalize(this);
    }

    private protected static CoapResponse Content(string text) => new(ResponseCode.Content) { Payload = Encoding.UTF8.GetBytes(text) };

    private void Map(ResourceMap resources)
    {
        resources.At("temperature").Get(_ => Content("22.5 C"), HandlerMode.Inline);
        resources.At("slow").Get(Slow.HandleAsync).Post(Slow.HandleAsync);
        resources.At("counter").Post(_ => Content($"{++Count}"), HandlerMode.Inline).Get(_ => Content($"{++Count}"), HandlerMode.Inline);
        resources.At("broken").Get((Func<IncomingRequest, CoapResponse>)(_ => throw new InvalidOperationException("a secret")), HandlerMode.Inline);
        resources.At("closed").Get((_, _) => throw new CoapResponseException(ResponseCode.Forbidden, "members only"));
    }
}
