using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>
/// Our client and a server that follows a script. Unless a class has settings of its own, ACK_RANDOM_FACTOR is 1, so that the waits are exactly those of
/// RFC 7252, section 4.8.
/// </summary>
public abstract class ClientUnderTest : IDisposable
{
    private protected ClientUnderTest(CoapClientSettings? settings = null)
    {
        Client = LaneEnd.Client(Wire, settings ?? Settings);
        Server = ScriptedPeer.Server(Wire);
    }

    // The client's own limit is out of the way, so that the tests see the waits of the RFC.
    private protected static CoapClientSettings Settings { get; } = new()
    {
        Transmission = new() { AckRandomFactor = 1 },
        RequestIdleTimeout = TimeSpan.FromHours(1),
    };

    private protected Wire Wire { get; } = new(new ManualClock());

    private protected LaneEnd Client { get; }

    private protected ScriptedPeer Server { get; }

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
        GC.SuppressFinalize(this);
    }
}
