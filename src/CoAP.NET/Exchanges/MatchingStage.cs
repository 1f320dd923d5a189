using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>Delivers responses to their exchanges and passes requests on.</summary>
/// <param name="understood">The options that a message may have.</param>
/// <param name="takers">Process the responses that match no exchange.</param>
internal abstract class MatchingStage(OptionRegistry understood, IReadOnlyList<IResponseTaker> takers) : InlineStage<ReceivedMessage, ReceivedMessage>
{
    /// <summary>The messages that are sent in reaction to received messages.</summary>
    public Output<OutgoingMessage> Reactions => field ??= Port<OutgoingMessage>();

    /// <summary>The responses to the requests of this endpoint.</summary>
    public Output<IncomingResponse> Responses => field ??= Port<IncomingResponse>();

    protected bool IsUnderstood(in ReceivedMessage item) =>
        !OptionCheck.FindUnrecognizedCritical(item.Message.Options, understood, item.Message.Code, out _);

    /// <summary>Offers a response without an exchange to the takers. Returns <see langword="false"/> if it belongs to none of them.</summary>
    protected bool TryGive(in ReceivedMessage item, bool isUnderstood)
    {
        foreach (var taker in takers)
        {
            if (taker.TryTake(item, isUnderstood)) { return true; }
        }
        return false;
    }

    protected void Deliver(ExchangeLane lane, ITokenOwner owner, in ReceivedMessage item)
    {
        var response = item.Message;
        if (!owner.IsRaw && OptionCheck.FindUnrecognizedCritical(response.Options, understood, response.Code, out var number))
        {
            owner.Fail(new CoapTransportException(
                $"The response of {owner.Key.Peer} was rejected: {OptionCheck.Explain(response.Options, understood, response.Code, number)}."));
            return;
        }
        try { Responses.Emit(new IncomingResponse(owner, item, lane.HasCredentialsOfStage(item))); }
        catch (Exception exception)     // The edge to a package's stages.
        {
            lane.Log.LaneWorkFailed(exception, typeof(IncomingResponse));
            owner.Fail(CoapTransportException.StageFailed("response of", owner.Key.Peer, exception));
        }
    }
}
