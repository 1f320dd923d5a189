using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>
/// Finds out whether a peer supports Q-Block. It sends a confirmable request for block 0 alone. Only a response with Q-Block2 shows the support,
/// because some peers ignore critical options instead of answering with 4.02 (RFC 9177, section 4.1). Used on the lane only.
/// </summary>
/// <param name="owner">The transfer that needs the result.</param>
/// <param name="call">The call of the transfer.</param>
/// <param name="queue">Keeps the result for the peer.</param>
internal sealed class RobustProbe(RobustCall owner, ClientCall call, RobustQueue queue) : IExchangeOwner
{
    private static readonly int[] HostNumbers = [UriHost.Declaration.Number, UriPort.Declaration.Number, Echo.Declaration.Number];
    private static readonly OptionSet DiscoveryPath = [new UriPath(".well-known"), new UriPath("core")];

    private ClientExchange? _exchange;
    private bool _isOfBody;

    public long EndsAt => call.EndsAt;

    public bool IsDone => owner.IsOver || call.IsDone;

    /// <summary>Sends the request of the call itself and asks for the first block of its response.</summary>
    public void SendRequest(LaneChannel channel, in OptionSet options, BlockSize preferred) =>
        Send(channel, call.Request.Method, options, preferred, call.Request.Payload);

    /// <summary>Sends a GET for the links of the peer, because the body of the request cannot be sent yet.</summary>
    /// <remarks>The links exceed the smallest block, unlike many resources, and every server should offer them (RFC 7252, section 7.2).</remarks>
    public void SendGet(LaneChannel channel, in OptionSet options)
    {
        _isOfBody = true;
        OptionSet host = [.. options.Where(option => Array.IndexOf(HostNumbers, option.Number) >= 0)];
        Send(channel, RequestCode.Get, host.With([.. DiscoveryPath]), BlockSize.Smallest, default);
    }

    /// <summary>Takes a separate response. Returns <see langword="false"/> if the probe has ended.</summary>
    public bool TryTake(CoapMessage response)
    {
        if (_exchange is not { } exchange) { return false; }
        exchange.Complete(response);
        return true;
    }

    /// <inheritdoc cref="ITokenOwner.TryRepeat"/>
    public bool TryRepeat(Echo echo) => _exchange?.TryRepeat(echo) == true;

    /// <summary>Fails because no response will arrive, or because it cannot be used. Returns <see langword="false"/> if the probe has ended.</summary>
    public bool TryFail(Exception error)
    {
        if (_exchange is not { } exchange) { return false; }
        exchange.Fail(error);
        return true;
    }

    /// <summary>Ends the wait for the response.</summary>
    public void Cancel() => _exchange?.Cancel();

    public CoapTimeoutException Expire(ClientExchange exchange) => call.Expire(exchange);

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        _exchange = null;
        if (IsDone) { return; }
        queue.Learn(response);
        if (_isOfBody && queue.IsSupported is null) { queue.LearnNoSupport(); }
        if (queue.IsSupported == true) { owner.OnSupported(response); }
        else { owner.OnUnsupported(response); }
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        _exchange = null;
        if (owner.IsOver) { return; }
        if (error is CoapResetException or CoapTimeoutException { IsAcknowledged: false, EndsCall: false })
        {
            queue.LearnNoSupport();
            owner.FallBack();
        }
        else { call.Fail(error); }
    }

    private void Send(LaneChannel channel, CoapCode method, in OptionSet options, BlockSize size, ReadOnlyMemory<byte> payload)
    {
        var request = new CoapRequest(method)
        {
            Transmission = call.Request.Transmission,
            ResponseTimeout = call.Request.ResponseTimeout,
        };
        var block = new QBlock2(0, hasMore: false, size.Exponent);
        // The token is one of the transfer: the peer may send further blocks with it (RFC 9177, section 6).
        _exchange = new ClientExchange(call.Lane, call.Key, request, options.With(block), payload, this)
        {
            Token = owner.Tokens.Next(),
            StaysAtPort = true,
        };
        _exchange.Begin(channel);
    }
}
