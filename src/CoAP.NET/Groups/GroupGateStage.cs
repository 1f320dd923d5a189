using CoAP.Resources;

namespace CoAP.Groups;

/// <summary>Refuses multicast requests to resources that do not handle them (RFC 7252, section 8).</summary>
internal sealed class GroupGateStage(HandlerPipeline pipeline) : InlineStage<IncomingRequest, IncomingRequest>
{
    private static readonly CoapResponse NotForGroups = new(ResponseCode.MethodNotAllowed);

    /// <summary>The answers to refused requests.</summary>
    public Output<Answer> Refusals => field ??= Port<Answer>();

    protected override void Process(in IncomingRequest item)
    {
        if (item.IsMulticast)
        {
            pipeline.Route(item);
            if (item.Resource?.TakesMulticast(item.Method) != true)
            {
                Refusals.Emit(new Answer(item, NotForGroups, isAcknowledged: false));
                return;
            }
        }
        Out.Emit(item);
    }
}
