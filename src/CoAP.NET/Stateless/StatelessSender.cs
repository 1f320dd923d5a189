using CoAP.Exchanges;

namespace CoAP.Stateless;

/// <summary>Sends the stateless requests of a client, after checking which token lengths the endpoint accepts (RFC 8974).</summary>
/// <param name="tokens">Creates the tokens; <see langword="null"/> if the client's settings have none.</param>
/// <param name="router">Opens the channels.</param>
/// <param name="time">The clock.</param>
internal sealed class StatelessSender(StatelessTokens? tokens, ClientRouter router, TimeProvider time)
{
    private readonly TokenNegotiation _negotiation = new(time);

    public async ValueTask<bool> SupportsTokenLengthAsync(string uri, int length, CancellationToken cancellationToken)
    {
        ThrowUnlessTokenLength(length);
        var (_, channel) = await ConnectAsync(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)), cancellationToken).ConfigureAwait(false);
        return await AcceptsAsync(channel, length, cancellationToken).ConfigureAwait(false);
    }

    public bool SupportsTokenLength(string uri, int length, CancellationToken cancellationToken)
    {
        ThrowUnlessTokenLength(length);
        return Accepts(Connect(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)), cancellationToken).Channel, length, cancellationToken);
    }

    public async ValueTask SendAsync(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken)
    {
        var (target, own) = Check(request, state);
        var (place, channel) = await ConnectAsync(target, cancellationToken).ConfigureAwait(false);
        var length = StatelessTokens.Overhead + state.Length;
        if (!await AcceptsAsync(channel, length, cancellationToken).ConfigureAwait(false)) { throw Refused(channel, length); }
        await StatelessRequest.Send(channel, target.RequestOver(channel, place.Address), own, state, parked: false).Task.ConfigureAwait(false);
    }

    public void Send(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken)
    {
        var (target, own) = Check(request, state);
        var (place, channel) = Connect(target, cancellationToken);
        var length = StatelessTokens.Overhead + state.Length;
        if (!Accepts(channel, length, cancellationToken)) { throw Refused(channel, length); }
        StatelessRequest.Send(channel, target.RequestOver(channel, place.Address), own, state, parked: true).Park();
    }

    private async ValueTask<bool> AcceptsAsync(ChannelHandle channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try
        {
            var response = await channel.SendAsync(TokenNegotiation.Trial(channel, length), cancellationToken).ConfigureAwait(false);
            return _negotiation.Learn(channel, length, response);
        }
        catch (CoapException failure) when (TokenNegotiation.IsConclusive(failure)) { return _negotiation.Learn(channel, length, failure); }
    }

    private bool Accepts(ChannelHandle channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try { return _negotiation.Learn(channel, length, channel.Send(TokenNegotiation.Trial(channel, length), cancellationToken)); }
        catch (CoapException failure) when (TokenNegotiation.IsConclusive(failure)) { return _negotiation.Learn(channel, length, failure); }
    }

    private async ValueTask<(Place Place, ChannelHandle Channel)> ConnectAsync(RequestTarget target, CancellationToken cancellationToken)
    {
        var place = (await router.Addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false))[0];
        return (place, (ChannelHandle)await router.OpenAsync(target, place, mayWait: true, cancellationToken).ConfigureAwait(false));
    }

    private (Place Place, ChannelHandle Channel) Connect(in RequestTarget target, CancellationToken cancellationToken)
    {
        var place = router.Addresses.Resolve(target)[0];
        return (place, (ChannelHandle)router.Open(target, place, mayWait: true, cancellationToken));
    }

    private (RequestTarget Target, StatelessTokens Tokens) Check(CoapRequest request, in ReadOnlyMemory<byte> state)
    {
        var own = tokens ?? throw new InvalidOperationException("The client's settings have no StatelessTokens.");
        own.ThrowIfTooLong(state.Length);
        var target = RequestTarget.Of(request);
        return !request.Options.Contains<Options.Observe>()
            ? (target, own)
            : throw new ArgumentException("A stateless request must not have an Observe option (RFC 8974, section 4.1).", nameof(request));
    }

    private static NotSupportedException Refused(ChannelHandle channel, int length) =>
        new($"{channel.Peer} does not accept tokens of {length} bytes (RFC 8974, section 2.2).");

    private static void ThrowUnlessTokenLength(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Token.MaxLength);
    }
}
