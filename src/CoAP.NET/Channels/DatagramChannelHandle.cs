namespace CoAP.Channels;

/// <summary>A handler's or user's hold on a datagram peer. Costs the lane nothing until something is sent.</summary>
internal sealed class DatagramChannelHandle(LaneContext lane, ChannelKey key) : IStatelessChannel
{
    public PeerIdentity Peer => key.Peer;

    public PeerIdentity Local => key.Local;

    public bool IsReliable => false;

    public bool IsClosed => false;

    public async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var exchange = Begin(request, parked: false, cancellationToken);
        return await exchange.Caller.Task.ConfigureAwait(false);
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        lane.ThrowIfOwnedByCaller();
        return Begin(request, parked: true, cancellationToken).Caller.Park();
    }

    /// <summary>Hands the request to the lane.</summary>
    public ClientExchange Begin(CoapRequest request, bool parked, CancellationToken cancellationToken)
    {
        ArgumentNullException.ThrowIfNull(request);
        cancellationToken.ThrowIfCancellationRequested();
        var options = RequestOptions.Of(request, key.Peer);
        RequestOptions.ThrowIfTooLarge(request, options, lane.Settings.MaxSendSize);
        var exchange = new ClientExchange(lane, key, request, options, parked, OpenChannel);
        exchange.CancelOn(cancellationToken);
        lane.Post(exchange);
        return exchange;
    }

    public PendingResponse SendStateless(CoapRequest request, StatelessTokens tokens, ReadOnlyMemory<byte> state, bool parked)
    {
        if (parked) { lane.ThrowIfOwnedByCaller(); }
        var options = RequestOptions.Of(request, key.Peer);
        var stateless = new StatelessRequest(lane, key, request, options, tokens, state, parked, OpenChannel);
        if (stateless.Size > lane.Settings.MaxSendSize)
        {
            throw new ArgumentException(
                $"The request is {stateless.Size} bytes with its token; at most {lane.Settings.MaxSendSize} fit into a message (MaxSendSize).", nameof(request));
        }
        lane.Post(stateless);
        return stateless.Caller;
    }

    private static LaneChannel OpenChannel(LaneContext lane, ClientExchange exchange) => OpenChannel(lane, exchange.Key);

    private static LaneChannel OpenChannel(LaneContext lane, ChannelKey key)
    {
        if (lane.Channels.TryFind(key, out var channel)) { return channel; }
        channel = new DatagramChannel(lane, key);
        lane.Channels.Add(channel);
        return channel;
    }
}
