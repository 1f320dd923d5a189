using System.Net;
using CoAP.Exchanges;
using CoAP.Stateless;

namespace CoAP;

/// <content>Requests of which nothing is kept, and the tokens that they need (RFC 8974).</content>
public sealed partial class CoapClient
{
    private readonly TokenNegotiation _negotiation;

    /// <summary>
    /// Whether an endpoint takes tokens of a length in requests (RFC 8974, section 2.2). Over datagrams it is sent a confirmable GET with such a token the first
    /// time; what that shows is believed for half an hour, for a minute where nobody answered.
    /// </summary>
    /// <param name="uri">An absolute URI of the endpoint; its path is ignored.</param>
    /// <param name="length">0 to 65,804 bytes; those up to 8 are always taken.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or over 65,804.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask<bool> SupportsTokenLengthAsync(string uri, int length, CancellationToken cancellationToken = default)
    {
        ThrowUnlessTokenLength(length);
        var (_, channel) = await ConnectAsync(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)), cancellationToken).ConfigureAwait(false);
        return await TakesTokensAsync(channel, length, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="SupportsTokenLengthAsync" path="/param"/>
    /// <inheritdoc cref="SupportsTokenLengthAsync" path="/exception"/>
    public bool SupportsTokenLength(string uri, int length, CancellationToken cancellationToken = default)
    {
        ThrowUnlessTokenLength(length);
        return TakesTokens(Connect(RequestTarget.Of(new CoapRequest(RequestCode.Get, uri)), cancellationToken).Channel, length, cancellationToken);
    }

    /// <summary>
    /// Sends a request and keeps nothing of it: the state goes into the token, and comes back with the response at <see cref="MeshArrow.StatelessResponses"/>
    /// (RFC 8974, section 3). Whether the endpoint takes such a token is found out before.
    /// </summary>
    /// <remarks>
    /// Over datagrams the request is non-confirmable: it may get lost, and so may the response. It must not observe, and a body has to fit into a message.
    /// Completes when it was sent.
    /// </remarks>
    /// <param name="request">With an absolute URI.</param>
    /// <param name="state">At most <see cref="StatelessTokenSettings.MaxStateLength"/> bytes.</param>
    /// <param name="cancellationToken">Ends the wait for the negotiation.</param>
    /// <exception cref="InvalidOperationException">The settings have no <see cref="CoapClientSettings.StatelessTokens"/>.</exception>
    /// <exception cref="ArgumentException">The request has no absolute URI or observes, or it or the state is too long.</exception>
    /// <exception cref="NotSupportedException">The endpoint does not take tokens of this length.</exception>
    /// <exception cref="CoapBusyException">PROBING_RATE allows nothing more until the endpoint answers (RFC 7252, section 4.7).</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token fired.</exception>
    public async ValueTask SendStatelessAsync(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default)
    {
        var (target, tokens) = Check(request, state);
        var (address, channel) = await ConnectAsync(target, cancellationToken).ConfigureAwait(false);
        var length = StatelessTokens.Overhead + state.Length;
        if (!await TakesTokensAsync(channel, length, cancellationToken).ConfigureAwait(false)) { throw TakesNoTokens(channel, length); }
        await StatelessRequest.Send(channel, target.RequestOver(channel, address), tokens, state, parked: false).Task.ConfigureAwait(false);
    }

    /// <summary>The same, blocking the calling thread.</summary>
    /// <inheritdoc cref="SendStatelessAsync" path="/remarks"/>
    /// <inheritdoc cref="SendStatelessAsync" path="/param"/>
    /// <inheritdoc cref="SendStatelessAsync" path="/exception"/>
    public void SendStateless(CoapRequest request, ReadOnlyMemory<byte> state, CancellationToken cancellationToken = default)
    {
        var (target, tokens) = Check(request, state);
        var (address, channel) = Connect(target, cancellationToken);
        var length = StatelessTokens.Overhead + state.Length;
        if (!TakesTokens(channel, length, cancellationToken)) { throw TakesNoTokens(channel, length); }
        StatelessRequest.Send(channel, target.RequestOver(channel, address), tokens, state, parked: true).Park();
    }

    private async ValueTask<bool> TakesTokensAsync(ChannelHandle channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try
        {
            var response = await channel.SendAsync(TokenNegotiation.Trial(channel, length), cancellationToken).ConfigureAwait(false);
            return _negotiation.Learn(channel, length, response);
        }
        catch (CoapException failure) when (TokenNegotiation.IsTelling(failure)) { return _negotiation.Learn(channel, length, failure); }
    }

    private bool TakesTokens(ChannelHandle channel, int length, CancellationToken cancellationToken)
    {
        if (_negotiation.Find(channel, length) is { } known) { return known; }
        try { return _negotiation.Learn(channel, length, channel.Send(TokenNegotiation.Trial(channel, length), cancellationToken)); }
        catch (CoapException failure) when (TokenNegotiation.IsTelling(failure)) { return _negotiation.Learn(channel, length, failure); }
    }

    private async ValueTask<(IPEndPoint Address, ChannelHandle Channel)> ConnectAsync(RequestTarget target, CancellationToken cancellationToken)
    {
        var address = _settings.Network is null
            ? new IPEndPoint((await _addresses.ResolveAsync(target.Host, cancellationToken).ConfigureAwait(false))[0], target.Port)
            : Nowhere(target);
        var channel = await Mesh.OpenChannelAsync(target.Scheme, PeerOf(target, address), target.HostName, mayWait: true, cancellationToken).ConfigureAwait(false);
        return (address, (ChannelHandle)channel);
    }

    private (IPEndPoint Address, ChannelHandle Channel) Connect(in RequestTarget target, CancellationToken cancellationToken)
    {
        var address = _settings.Network is null ? new IPEndPoint(_addresses.Resolve(target.Host)[0], target.Port) : Nowhere(target);
        return (address, (ChannelHandle)Mesh.OpenChannel(target.Scheme, PeerOf(target, address), target.HostName, mayWait: true, cancellationToken));
    }

    private PeerIdentity PeerOf(in RequestTarget target, IPEndPoint address) =>
        _settings.Network is null ? PeerIdentity.From(address) : PeerIdentity.From(target.Host);

    private (RequestTarget Target, StatelessTokens Tokens) Check(CoapRequest request, in ReadOnlyMemory<byte> state)
    {
        var tokens = _settings.StatelessTokens ?? throw new InvalidOperationException("The client has no StatelessTokens in its settings.");
        tokens.ThrowIfTooLong(state.Length);
        var target = RequestTarget.Of(request);
        return !request.Options.Contains<Options.Observe>()
            ? (target, tokens)
            : throw new ArgumentException("A stateless request must not observe (RFC 8974, section 4.1).", nameof(request));
    }

    private static NotSupportedException TakesNoTokens(ChannelHandle channel, int length) =>
        new($"{channel.Peer} does not take tokens of {length} bytes (RFC 8974, section 2.2).");

    private static void ThrowUnlessTokenLength(int length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(length, Token.MaxLength);
    }
}
