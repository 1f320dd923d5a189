using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>
/// Registers clients as observers when the response to their request is a success (RFC 7641, section 4.1). Passes shared
/// representations to their observers instead of to the next stage.
/// </summary>
internal sealed class NotifyStage(ExchangeLane lane, ObserverRegistry registry) : InlineStage<Answer, Answer>
{
    protected override void Process(in Answer item)
    {
        var request = item.Request;
        if (request.Taker is { } taker) { taker.Take(item.Response, request.IsPutOff); }
        else if ((request.Options.Seen & ObserveStage.ObserveBit) == 0 || !IsRegistration(request)) { Out.Emit(item); }
        else if (item.Response.Source is not null)
        {
            // A stream can be read once, so it cannot be shared with later notifications.
            lane.Metrics[LaneCounters.DeclinedObservations]++;
            Out.Emit(item);
        }
        else
        {
            var response = request.Acceptable(item.Response);
            registry.TryRegister(request, response, out var stamped, out var observation);
            try { Out.Emit(item with { Response = stamped ?? response, Registration = observation }); }
            catch when (request.End is null)
            {
                // The client gets 5.00 instead of the answer that confirms the registration.
                observation?.Revoke();
                throw;
            }
        }
    }

    // A request for a later block or for missing blocks is not a registration (RFC 7959, section 3.4; RFC 9177, section 4.5).
    private static bool IsRegistration(IncomingRequest request) =>
        request.Method.IsSafe && request.Options.Get<Observe>() is { Value: 0 } && !BlockOption.IsLater(request.Options);
}
