using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>What the telemetry of a call records about it.</summary>
/// <param name="Method">The method of the request.</param>
/// <param name="Peer">The receiver of the request.</param>
/// <param name="Channel">What is known about the channel.</param>
/// <param name="Elapsed">The time since the first transmission.</param>
/// <param name="Notification">The code of the notification whose body is fetched; <see langword="null"/> for other calls.</param>
internal readonly record struct CallFacts(CoapCode Method, PeerIdentity Peer, SpanContext Channel, TimeSpan Elapsed, CoapCode? Notification)
{
    /// <summary>The name of the transport in metrics.</summary>
    public string Transport => TelemetryNames.OfTransport(Peer, Channel.IsReliable);
}
