using CoAP.Exchanges;

namespace CoAP.Stateless;

/// <summary>Takes the responses whose token carries the state of a stateless request (RFC 8974, section 3.3).</summary>
internal sealed class StatelessResponses(ExchangeLane lane, StatelessTokens tokens) : IResponseTaker
{
    public Output<StatelessResponse> Out { get; } = new();

    /// <summary>Emits a response to a stateless request. Returns <see langword="false"/> for other responses.</summary>
    public bool TryTake(in ReceivedMessage item, bool isUnderstood)
    {
        var message = item.Message;
        if (!isUnderstood) { return false; }
        if (!tokens.TryOpen(message.Token, item.Key.Peer, TimeSpan.FromTicks(lane.Now), out var state)) { return false; }
        Out.Emit(new StatelessResponse(item.Key.Peer, state, new CoapResponse(message.Code, message.Options, message.Payload) { Remote = item.Key.Peer }));
        return true;
    }
}
