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
    /// <param name="target">The target.</param>
    /// <param name="send">Sends the request.</param>
    /// <param name="note">Sees the outcome and returns it; <see langword="null"/> if nothing does.</param>
    /// <param name="cancellationToken">Cancels the call.</param>
    public async ValueTask<T> RouteAsync<T>(
        RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, ValueTask<T>> send, Func<RequestTarget, T, T>? note,
        CancellationToken cancellationToken)
    {
        using var limit = ConnectLimit.Of(target, addresses.Time, cancellationToken);
        var attempts = new Attempts(default);
        var isOpening = true;
        while (true)
        {
            IChannel? channel = null;
            try
            {
                isOpening = true;
                if (attempts.IsEmpty)
                {
                    attempts = new Attempts(await addresses.ResolveAsync(target, limit?.Token ?? cancellationToken).ConfigureAwait(false));
                }
                var place = attempts.Place;
                channel = await OpenAsync(target, place, attempts.IsLast, limit?.Token ?? cancellationToken).ConfigureAwait(false);
                isOpening = false;
                var outcome = await send(channel, target.RequestOver(channel, place.Address), cancellationToken).ConfigureAwait(false);
                return note is null ? outcome : note(target, outcome);
            }
            catch (OperationCanceledException) when (isOpening && limit is { IsOver: true }) { throw limit.ToError(); }
            catch (CoapException exception) when (MayRetry(target, exception, channel, ref attempts))
            {
                // Make the next attempt.
            }
        }
    }

    /// <summary>Opens a channel to the target and sends its request. Blocks the calling thread.</summary>
    public T Route<T>(in RequestTarget target, Func<IChannel, CoapRequest, CancellationToken, T> send, CancellationToken cancellationToken)
    {
        using var limit = ConnectLimit.Of(target, addresses.Time, cancellationToken);
        var attempts = new Attempts(default);
        var isOpening = true;
        while (true)
        {
            IChannel? channel = null;
            try
            {
                isOpening = true;
                if (attempts.IsEmpty) { attempts = new Attempts(addresses.Resolve(target, limit?.Token ?? cancellationToken)); }
                var place = attempts.Place;
                channel = Open(target, place, attempts.IsLast, limit?.Token ?? cancellationToken);
                isOpening = false;
                return send(channel, target.RequestOver(channel, place.Address), cancellationToken);
            }
            catch (OperationCanceledException) when (isOpening && limit is { IsOver: true }) { throw limit.ToError(); }
            catch (CoapException exception) when (MayRetry(target, exception, channel, ref attempts))
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

    /// <summary>Moves on to the next attempt after a failure. Returns <see langword="false"/> if there is none.</summary>
    private bool MayRetry(in RequestTarget target, CoapException failure, IChannel? channel, ref Attempts attempts)
    {
        if (attempts.IsEmpty) { return false; }
        // The connection ended before it sent the request, so a new connection may send it (RFC 8323, section 3).
        if (channel is not null && failure is CoapTransportException { IsUnsent: true } && attempts.TryReopen()) { return true; }
        if (failure is CoapTransportException { RetryAfter: null } or CoapTimeoutException) { addresses.Forget(target); }
        // Only a request that did not reach the peer may be sent to another address. Otherwise two servers could act on it.
        var isUndelivered = failure is CoapTransportException { InnerException: SocketException } or CoapTransportException { RetryAfter: not null };
        return isUndelivered && attempts.TryNext();
    }

    /// <summary>The attempts to send one request: two connections for each address.</summary>
    private struct Attempts(ServerAddresses places)
    {
        private readonly ServerAddresses _places = places;
        private int _index;
        private bool _isReopened;

        /// <summary>Whether the addresses are not known yet.</summary>
        public readonly bool IsEmpty => _places.IsEmpty;

        public readonly Place Place => _places[_index];

        public readonly bool IsLast => _index + 1 >= _places.Count;

        public bool TryReopen() => !_isReopened && (_isReopened = true);

        public bool TryNext()
        {
            if (IsLast) { return false; }
            (_index, _isReopened) = (_index + 1, false);
            return true;
        }
    }
}
