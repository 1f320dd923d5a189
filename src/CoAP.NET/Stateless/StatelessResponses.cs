using CoAP.Exchanges;

namespace CoAP.Stateless;

/// <summary>Takes the responses that no exchange waits for and whose token says what they belong to (RFC 8974, section 3.3).</summary>
internal sealed class StatelessResponses(ExchangeLane lane, StatelessTokens tokens) : IResponseTaker
{
    public Output<StatelessResponse> Out { get; } = new();

    /// <summary>Whether the response belongs to a stateless request; it has then been handed on.</summary>
    public bool TryTake(in ReceivedMessage item, bool isUnderstood)
    {
        var message = item.Message;
        if (!isUnderstood) { return false; }
        if (!tokens.TryOpen(message.Token, item.Key.Peer, TimeSpan.FromTicks(lane.Now), out var state)) { return false; }
        Out.Emit(new StatelessResponse(item.Key.Peer, state, new CoapResponse(message.Code)
        {
            Options = message.Options,
            Payload = message.Code.MayHavePayload ? message.Payload : default,
            Remote = item.Key.Peer,
        }));
        return true;
    }
}
