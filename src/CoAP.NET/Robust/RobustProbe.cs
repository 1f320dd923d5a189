using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>
/// Finds out whether a peer supports Q-Block. It sends a confirmable request for block 0 alone, which a peer without support has to answer
/// with 4.02 (RFC 9177, section 4.1). Used on the lane only.
/// </summary>
/// <param name="owner">The transfer that needs the result.</param>
/// <param name="call">The call of the transfer.</param>
/// <param name="queue">Keeps the result for the peer.</param>
internal sealed class RobustProbe(RobustCall owner, ClientCall call, RobustQueue queue) : IExchangeOwner
{
    private static readonly int[] PathNumbers =
        [UriHost.Declaration.Number, UriPort.Declaration.Number, UriPath.Declaration.Number, UriQuery.Declaration.Number, Echo.Declaration.Number];

    private ClientExchange? _exchange;

    public long EndsAt => call.EndsAt;

    public bool IsDone => owner.IsOver || call.IsDone;

    /// <summary>Sends the request of the call itself and asks for the first block of its response.</summary>
    public void SendRequest(LaneChannel channel, in OptionSet options, BlockSize preferred) =>
        Send(channel, call.Request.Method, options, preferred, call.Request.Payload);

    /// <summary>Sends a GET for the resource, because the body of the request cannot be sent yet.</summary>
    public void SendGet(LaneChannel channel, in OptionSet options) =>
        Send(channel, RequestCode.Get, [.. options.Where(option => Array.IndexOf(PathNumbers, option.Number) >= 0)], BlockSize.Smallest, default);

    /// <summary>Ends the wait for the response.</summary>
    public void Cancel() => _exchange?.Cancel();

    public CoapTimeoutException Expire(ClientExchange exchange) => call.Expire(exchange);

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        _exchange = null;
        if (IsDone) { return; }
        queue.Learn(response);
        if (queue.IsSupported == true) { owner.OnSupported(response); }
        else { owner.OnUnsupported(response); }
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        _exchange = null;
        if (owner.IsOver) { return; }
        if (error is CoapResetException or CoapTimeoutException { IsAcknowledged: false, EndsCall: false })
        {
            queue.LearnNoResponse();
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
        _exchange = new ClientExchange(call.Lane, call.Key, request, options.With(block), payload, this);
        _exchange.Begin(channel);
    }
}
