using CoAP.Options;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>Takes clients that want no more notifications out of the list at once, and marks requests to observe; all others just pass (RFC 7641, section 4.1).</summary>
internal sealed class ObserveStage : InlineStage<IncomingRequest, IncomingRequest>
{
    /// <summary>The bit of the Observe option, which no other option shares.</summary>
    public static readonly ulong ObserveBit = OptionNumber.SeenBit(Observe.Declaration.Number);

    private const uint DeregisterValue = 1;

    private readonly ObserverRegistry _registry;
    private readonly HandlerPipeline _pipeline;

    public ObserveStage(ObserverRegistry registry, HandlerPipeline pipeline) =>
        (_registry, _pipeline) = (registry, pipeline);

    protected override void Process(in IncomingRequest item)
    {
        if ((item.Options.Seen & ObserveBit) != 0 && item.Taker is null) { Prepare(item); }
        Out.Emit(item);
    }

    private void Prepare(IncomingRequest request)
    {
        if (request.Options.Get<Observe>() is { Value: DeregisterValue }) { _registry.Deregister(request); }
        // What changes from now on may not be in the answer.
        _pipeline.Route(request);
        request.ObservedVersion = request.Resource?.Observers?.Version ?? 0;
    }
}
