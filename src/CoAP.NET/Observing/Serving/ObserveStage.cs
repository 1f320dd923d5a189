using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>Handles the Observe option of requests: removes observers that deregister, and marks registrations (RFC 7641, section 4.1).</summary>
internal sealed class ObserveStage(ObserverRegistry registry, HandlerPipeline pipeline) : InlineStage<IncomingRequest, IncomingRequest>
{
    /// <summary>The bit of the Observe option in <c>OptionSet.Seen</c>. No other option shares it.</summary>
    public static readonly ulong ObserveBit = OptionNumber.SeenBit(Observe.Declaration.Number);

    private const uint DeregisterValue = 1;

    protected override void Process(in IncomingRequest item)
    {
        // Other methods do not define the option, which is elective (RFC 7641, section 2; RFC 8132, section 2).
        if ((item.Options.Seen & ObserveBit) != 0 && item.Taker is null && item.Method.IsSafe) { Prepare(item); }
        Out.Emit(item);
    }

    private void Prepare(IncomingRequest request)
    {
        if (request.Options.Get<Observe>() is { Value: DeregisterValue }) { registry.Deregister(request); }
        // The answer may not contain changes that happen from now on.
        pipeline.Route(request);
        request.ObservedVersion = request.Resource?.Observers?.Version ?? 0;
    }
}
