using CoAP.Exchanges;

namespace CoAP.Stateless;

/// <summary>Sends the stateless requests of a client, after checking which token lengths the endpoint accepts (RFC 8974).</summary>
/// <param name="tokens">Creates the tokens; <see langword="null"/> if the client's settings have none.</param>
/// <param name="router">Opens the channels.</param>
/// <param name="time">The clock.</param>
internal sealed class StatelessSender(StatelessTokens? tokens, ClientRouter router, TimeProvider time)
{
    private readonly TokenNegotiation _negotiation = new(time);

    public ValueTask<bool> SupportsTokenLengthAsync(string uri, int length, CancellationToken cancellationToken) =>
        router.RouteAsync(
            TrialTarget(uri, length), (channel, _, token) => AcceptsAsync(channel, length, token), note: null, cancellationToken);

    public bool SupportsTokenLength(string uri, int length, CancellationToken cancellationToken) =>
        router.Route(TrialTarget(uri, length), (channel, _, token) => Accepts(channel, length, token), cancellationToken);

    public async ValueTask SendAsync(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken)
    {
        var (target, own) = Check(request, state);
        await router.RouteAsync(target, SendOverAsync, note: null, cancellationToken).ConfigureAwait(false);

        async ValueTask<CoapResponse> SendOverAsync(IChannel channel, CoapRequest one, CancellationToken token)
        {
            var length = StatelessTokens.Overhead + state.Length;
            if (!await AcceptsAsync(channel, length, token).ConfigureAwait(false)) { throw Refused(channel, length); }
            return await StatelessRequest.Send((ChannelHandle)channel, one, own, state, parked: false).Task.ConfigureAwait(false);
        }
    }

    public void Send(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken)
    {
        var (target, own) = Check(request, state);
        router.Route(target, SendOver, cancellationToken);

        CoapResponse SendOver(IChannel channel, CoapRequest one, CancellationToken token)
        {
            var length = StatelessTokens.Overhead + state.Length;
            if (!Accepts(channel, length, token)) { throw Refused(channel, length); }
            return StatelessRequest.Send((ChannelHandle)channel, one, own, state, parked: true).Park();
        }
    }

    private async ValueTask<bool> AcceptsAsync(IChannel channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try
        {
            var response = await channel.SendAsync(TokenNegotiation.Trial(channel, length), cancellationToken).ConfigureAwait(false);
            return _negotiation.Learn(channel, length, response);
        }
        catch (CoapException failure) when (TokenNegotiation.IsConclusive(failure)) { return _negotiation.Learn(channel, length, failure); }
    }

    private bool Accepts(IChannel channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try { return _negotiation.Learn(channel, length, channel.Send(TokenNegotiation.Trial(channel, length), cancellationToken)); }
        catch (CoapException failure) when (TokenNegotiation.IsConclusive(failure)) { return _negotiation.Learn(channel, length, failure); }
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

    private static NotSupportedException Refused(IChannel channel, int length) =>
        new($"{channel.Peer} does not accept tokens of {length} bytes (RFC 8974, section 2.2).");

    private static RequestTarget TrialTarget(string uri, int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Token.MaxLength);
        return RequestTarget.Of(new CoapRequest(RequestCode.Get, uri));
    }
}
