using System.Net.Sockets;

namespace CoAP.Exchanges;

/// <summary>Sends requests to the server that their URI names. If an address cannot be reached, it tries the next address of the name.</summary>
/// <param name="addresses">Resolves names.</param>
/// <param name="channels">Returns the source of channels, which is created on first use.</param>
internal sealed class ClientRouter(AddressBook addresses, Func<IChannelSource> channels)
{
    /// <summary>Resolves names.</summary>
    public AddressBook Addresses => addresses;

    /// <summary>Opens a channel to the target and sends its request, without holding a thread.</summary>
    public async ValueTask<T> RouteAsync<T>(
        RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, CancellationToken cancellationToken)
    {
        var places = await addresses.ResolveAsync(target, cancellationToken).ConfigureAwait(false);
        for (var attempt = 0; ; attempt++)
        {
            var isLast = attempt + 1 >= places.Count;
            try
            {
                return await SendToAsync(target, places[attempt], send, isLast, cancellationToken).ConfigureAwait(false);
            }
            catch (CoapException exception) when (HasFailed(target, exception) && !isLast && IsUndelivered(exception))
            {
                // Try the next address of the name.
            }
        }
    }

    /// <summary>Opens a channel to the target and sends its request. Blocks the calling thread.</summary>
    public T Route<T>(in RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, T> send, CancellationToken cancellationToken)
    {
        var places = addresses.Resolve(target);
        for (var attempt = 0; ; attempt++)
        {
            var isLast = attempt + 1 >= places.Count;
            try
            {
                return SendTo(target, places[attempt], send, isLast, cancellationToken);
            }
            catch (CoapException exception) when (HasFailed(target, exception) && !isLast && IsUndelivered(exception))
            {
                // As above.
            }
        }
    }

    /// <summary>Opens a channel to one address of the target.</summary>
    /// <inheritdoc cref="IChannelSource.OpenChannelAsync" path="/exception"/>
    public ValueTask<IChannel> OpenAsync(in RequestTarget target, in Place place, bool mayWait, CancellationToken cancellationToken) =>
        channels().OpenChannelAsync(target.Scheme, place.Peer, target.HostName, mayWait, cancellationToken);

    /// <summary>Opens a channel to one address of the target. Blocks the calling thread while a connection is opened.</summary>
    /// <inheritdoc cref="IChannelSource.OpenChannelAsync" path="/exception"/>
    public IChannel Open(in RequestTarget target, in Place place, bool mayWait, CancellationToken cancellationToken) =>
        channels().OpenChannel(target.Scheme, place.Peer, target.HostName, mayWait, cancellationToken);

    /// <summary>Returns a channel to a peer that has sent a message before.</summary>
    public IChannel Open(in PeerIdentity peer) => channels().OpenChannel(peer);

    private async ValueTask<T> SendToAsync<T>(
        RequestTarget target, Place place, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, bool mayWait,
        CancellationToken cancellationToken)
    {
        var channel = await OpenAsync(target, place, mayWait, cancellationToken).ConfigureAwait(false);
        try
        {
            return await send(channel, target.RequestOver(channel, place.Address), cancellationToken).ConfigureAwait(false);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // The connection ended before it sent the request, so a new connection may send it (RFC 8323, section 3).
            channel = await OpenAsync(target, place, mayWait, cancellationToken).ConfigureAwait(false);
            return await send(channel, target.RequestOver(channel, place.Address), cancellationToken).ConfigureAwait(false);
        }
    }

    private T SendTo<T>(
        in RequestTarget target, in Place place, Func<IChannel, CoapRequest, CancellationToken, T> send, bool mayWait,
        CancellationToken cancellationToken)
    {
        var channel = Open(target, place, mayWait, cancellationToken);
        try
        {
            return send(channel, target.RequestOver(channel, place.Address), cancellationToken);
        }
        catch (CoapTransportException exception) when (exception.IsUnsent)
        {
            // As above.
            channel = Open(target, place, mayWait, cancellationToken);
            return send(channel, target.RequestOver(channel, place.Address), cancellationToken);
        }
    }

    // Returns true always, so that it can be used in an exception filter.
    private bool HasFailed(in RequestTarget target, CoapException failure)
    {
        if (failure is CoapTransportException { RetryAfter: null } or CoapTimeoutException) { addresses.Forget(target); }
        return true;
    }

    // Only a request that did not reach the peer may be sent to another address. Otherwise two servers could act on it.
    private static bool IsUndelivered(CoapException exception) =>
        exception is CoapTransportException { InnerException: SocketException } or CoapTransportException { RetryAfter: not null };
}
