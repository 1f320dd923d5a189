using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Streams;

/// <summary>The settings of a lane over connections.</summary>
/// <param name="Lane">The clock and the log.</param>
/// <param name="Exchanges">The settings of exchanges.</param>
/// <param name="Ledger">The ledger of the endpoint.</param>
/// <param name="Stream">The limits and timeouts of connections.</param>
/// <param name="SendTimeout">The time after which a connection ends if the peer reads nothing of the output.</param>
/// <param name="RequestServices">Creates the services of a request; <see langword="null"/> if requests have none.</param>
internal sealed record StreamLaneSettings(
    LaneSettings Lane, ExchangeSettings Exchanges, Ledger Ledger, StreamSettings Stream, TimeSpan SendTimeout,
    Func<IncomingRequest, IServiceProvider>? RequestServices);
