using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Stateless;

/// <summary>A request that the endpoint forgets as soon as it has been sent (RFC 8974, section 3.3). The caller waits until then.</summary>
internal sealed class StatelessRequest(ChannelHandle channel, CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked)
    : UntrackedRequest
{
    private const int HeaderAndMarker = 10;

    private static readonly CoapResponse Sent = new(ResponseCode.Valid);

    private readonly OptionSet _options = OptionsOf(channel, request, state.Length);
    private MessageId _messageId;
    private IFrameLink? _link;
    private OutgoingRequest _asked;

    public override ChannelKey Key => channel.Key;

    public override CoapCode Method => request.Method;

    public PendingResponse Caller { get; } = new(parked, channel.Lane.Runtime);

    // The approximate size on the wire. The exact size of the token is known only after it has been sealed.
    public override int Size => HeaderAndMarker + StatelessTokens.Overhead + state.Length + _options.Wire.Length + request.Payload.Length;

    /// <summary>Hands a request to the lane. The result completes when the request has been sent or cannot be sent.</summary>
    /// <exception cref="ArgumentException">The request does not fit into a message.</exception>
    public static PendingResponse Send(
        ChannelHandle channel, CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked)
    {
        if (parked) { channel.Lane.ThrowIfOwnedByCaller(); }
        else { SynchronousCalls.CountRequest(channel.Lane.IsOwnedByCaller); }
        var stateless = new StatelessRequest(channel, request, tokens, state, parked);
        channel.ThrowIfTooLarge(stateless.Size);
        channel.Lane.Post(stateless);
        return stateless.Caller;
    }

    public override void Run()
    {
        if (channel.Lane.FindTooLarge(channel.Key, Size) is { } tooLarge)
        {
            Fail(tooLarge);
            return;
        }
        channel.Lane.Pass(channel.Lane.Asked, new OutgoingRequest(this, _options, request.Payload));
    }

    public override void Fail(Exception error) => Caller.TryFail(error);

    public override void Submit(in OutgoingRequest request)
    {
        _asked = request;
        channel.Open().Send(this);
    }

    public override void Admit(MessageId messageId, IFrameLink? link = null)
    {
        try { Token = tokens.Seal(state.Span, channel.Peer, TimeSpan.FromTicks(channel.Lane.Now)); }
        catch (ObjectDisposedException exception)   // the user owns the tokens and may dispose them
        {
            Caller.TryFail(exception);
            return;
        }
        (_messageId, _link) = (messageId, link);
        channel.Lane.Pass(channel.Lane.Admitted, _asked);
    }

    public override void Send(in OutgoingRequest request)
    {
        var type = _link is null ? MessageType.NonConfirmable : default;      // connections have no types (RFC 8323, section 3.2)
        var message = new CoapMessage(type, request.Method, _messageId, Token, request.Options, request.Payload);
        channel.Lane.Requests.Emit(new OutgoingMessage(channel.Key, message) { Link = _link });
        Caller.TryComplete(Sent);
    }

    private static OptionSet OptionsOf(ChannelHandle channel, CoapRequest request, int stateLength)
    {
        var most = channel.Limits?.MaxSize ?? (int)MaxMessageSize.Default;
        var room = most - HeaderAndMarker - StatelessTokens.Overhead - stateLength - request.Payload.Length;
        return CoapTracing.CarryCurrent(RequestOptions.Of(request, channel.Peer), channel.Lane.Settings.Telemetry, room);
    }
}
