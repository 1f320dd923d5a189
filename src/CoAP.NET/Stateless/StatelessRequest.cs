using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Streams;

namespace CoAP.Stateless;

/// <summary>A request that nothing is kept of once it has been sent (RFC 8974, section 3.3). Its caller waits for that alone.</summary>
internal sealed class StatelessRequest(
    LaneContext lane, ChannelKey key, CoapRequest request, OptionSet options, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked,
    Func<LaneContext, ChannelKey, LaneChannel> open) : LaneWork
{
    private static readonly CoapResponse Sent = new(ResponseCode.Valid);

    public PendingResponse Caller { get; } = new(parked);

    /// <summary>About what it takes on the wire, in bytes.</summary>
    public int Size { get; } = 10 + StatelessTokens.Overhead + state.Length + options.Wire.Length + request.Payload.Length;

    public override void Run()
    {
        try { open(lane, key).SendStateless(this); }
        catch (ObjectDisposedException exception) { Caller.TryFail(exception); }    // the tokens, which are the user's to end
    }

    public override void Abandon() => Fail(new CoapTransportException("The endpoint has ended."));

    public void Fail(CoapException error) => Caller.TryFail(error);

    public void Send(MessageId messageId, StreamChannel? stream = null)
    {
        var message = new CoapMessage
        {
            Type = stream is null ? MessageType.NonConfirmable : default,      // connections have no types (RFC 8323, section 3.2)
            Code = request.Method,
            MessageId = messageId,
            Token = tokens.Seal(state.Span, key.Peer, TimeSpan.FromTicks(lane.Now)),
            Options = options,
            Payload = request.Payload,
        };
        lane.Send(new OutgoingMessage(key, message) { Stream = stream });
        Caller.TryComplete(Sent);
    }
}
