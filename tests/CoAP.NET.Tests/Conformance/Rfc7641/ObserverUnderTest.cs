using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Our client observing a resource of a server that follows a script. The random waits are fixed: 10 s after Max-Age, 10 s after a failure at the most.</summary>
public abstract class ObserverUnderTest : ClientUnderTest
{
    private protected const string NothingLeft = "0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines";

    private protected ObserverUnderTest()
        : base(Settings)
    {
    }

    private protected static new CoapClientSettings Settings { get; } = new()
    {
        Transmission = new() { AckRandomFactor = 1 },
        ClientObservations = new() { MinRegistrationDelay = TimeSpan.FromSeconds(10), MaxRegistrationDelay = TimeSpan.FromSeconds(10), MaxQueuedNotifications = 16 },
    };

    /// <summary>Begins to observe, as the first step of reading does.</summary>
    private protected CoapObservation Observe(CoapRequest request, LaneEnd? client = null) =>
        (client ?? Client).ChannelTo(Wire.Server).BeginObserving(request);

    private protected CoapObservation Observe(string path, bool confirmable = true) =>
        Observe(new CoapRequest(RequestCode.Get, path) { IsConfirmable = confirmable });

    /// <summary>Has an observation that the server has confirmed.</summary>
    private protected CoapObservation ObserveTemperature(string options = "{Observe: 9, Max-Age: 15}")
    {
        var observation = Observe("/temperature");
        Server.Expect("CON [X] GET /temperature (Token T) {Observe: 0}");
        Server.Send($"ACK [X] 2.05 Content (Token T) {options} '18.5 Cel'");
        Wire.RunFor(TimeSpan.Zero);
        Next(observation).Should().Be("18.5 Cel");
        return observation;
    }

    /// <summary>The payload of the next notification; none where it has to be waited for.</summary>
    private protected static string? Next(CoapObservation observation) => Take(observation)?.Response.PayloadText;

    private protected static Notification? Take(CoapObservation observation) => observation.Context.Feed.Take(out _);

    /// <summary>Leaves, as the end of reading does.</summary>
    private protected static void Leave(CoapObservation observation) => observation.Context.Connector.Leave(ObservationEnd.Canceled);
}
