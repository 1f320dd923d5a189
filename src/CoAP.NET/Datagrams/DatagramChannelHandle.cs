using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Observing;
using CoAP.Options;
using CoAP.Stateless;

namespace CoAP.Datagrams;

/// <summary>A handler's or user's hold on a datagram peer. Costs the lane nothing until something is sent.</summary>
internal sealed class DatagramChannelHandle(LaneContext lane, ChannelKey key) : IStatelessChannel, IObservableChannel
{
    public LaneContext Lane => lane;

    public PeerIdentity Peer => key.Peer;

    public PeerIdentity Local => key.Local;

    public bool IsReliable => false;

    public bool IsClosed => false;

    public async ValueTask<CoapResponse> SendAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        return await Begin(request, parked: false, cancellationToken).WaitAsync().ConfigureAwait(false);
    }

    public CoapResponse Send(CoapRequest request, CancellationToken cancellationToken = default)
    {
        lane.ThrowIfOwnedByCaller();
        return Begin(request, parked: true, cancellationToken).Park();
    }

    public async ValueTask<Delivery> SendAndForgetAsync(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var call = Begin(request, parked: false, cancellationToken, forgets: true);
        return ClientCall.ToDelivery(await call.Caller.Task.ConfigureAwait(false), request.IsConfirmable);
    }

    public Delivery SendAndForget(CoapRequest request, CancellationToken cancellationToken = default)
    {
        lane.ThrowIfOwnedByCaller();
        return ClientCall.ToDelivery(Begin(request, parked: true, cancellationToken, forgets: true).Caller.Park(), request.IsConfirmable);
    }

    public LaneObservation Bind(CoapRequest request, ObservationLink link)
    {
        var options = RequestOptions.Of(request, key.Peer);
        RequestOptions.ThrowIfTooLarge(request, options.With(new Observe(1)), lane.Settings.MaxSendSize);
        return new LaneObservation(lane, key, request, options, link, OpenChannel);
    }

    /// <summary>Hands the request to the lane.</summary>
    public ClientCall Begin(CoapRequest request, bool parked, CancellationToken cancellationToken, bool forgets = false)
    {
        ArgumentNullException.ThrowIfNull(request);
        cancellationToken.ThrowIfCancellationRequested();
        RequestTarget.ThrowIfGroup(key.Peer);
        var options = RequestOptions.Of(request, key.Peer);
        if (forgets) { options = RequestOptions.Forgetting(options); }
        var call = new ClientCall(lane, key, request, options, parked, OpenChannel) { IsForgotten = forgets };
        call.PlanFor(DatagramChannel.LimitsOf(lane));
        call.CancelOn(cancellationToken);
        lane.PostRequest(call);
        return call;
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

    private static LaneChannel OpenChannel(LaneContext lane, ChannelKey key)
    {
        if (lane.Channels.TryFind(key, out var channel)) { return channel; }
        channel = new DatagramChannel(lane, key);
        lane.Channels.Add(channel);
        return channel;
    }
}
