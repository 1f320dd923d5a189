using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Streams;

/// <summary>The settings of a lane over connections.</summary>
/// <param name="Lane">The clock and the log.</param>
/// <param name="Exchanges">What the exchanges depend on.</param>
/// <param name="Stream">Limits and time-outs of connections.</param>
/// <param name="SendTimeout">How long a peer may take nothing of what waits for it.</param>
internal sealed record StreamLaneSettings(LaneSettings Lane, ExchangeSettings Exchanges, StreamSettings Stream, TimeSpan SendTimeout);
