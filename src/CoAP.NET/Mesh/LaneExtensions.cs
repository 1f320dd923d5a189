using CoAP.Accounting;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Observing;
using CoAP.Streams;

namespace CoAP;

/// <summary>What a package's stage can do on its lane besides passing on items.</summary>
public static class LaneExtensions
{
    /// <summary>Ends an item that a stage does not pass on, in the same way as a filter. Called on the lane.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="arrow">The arrow of the stage.</param>
    /// <param name="item">The item. A request gets no response; the response of a dropped answer is not sent.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    /// <exception cref="InvalidOperationException">The caller does not run on the lane.</exception>
    public static void Drop<T>(this ILane lane, MeshArrow<T> arrow, T item)
    {
        ArgumentNullException.ThrowIfNull(arrow);
        ArgumentNullException.ThrowIfNull(item);
        var exchanges = LaneOf(lane);
        ThrowUnlessOwned(exchanges, nameof(Drop));
        arrow.Drop(exchanges, item);
    }

    /// <summary>Sends a request on behalf of somebody else, in the same turn if the limits of the peer allow it.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="to">The receiver, and the local address. On connections, that of a request or of an open channel.</param>
    /// <param name="exchange">The request, and what takes its responses.</param>
    /// <remarks>Call this method on the lane.</remarks>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>, or the receiver is a group.</exception>
    /// <exception cref="CoapTransportException">The lane has no connection to the receiver.</exception>
    /// <exception cref="InvalidOperationException">The caller does not run on the lane, or the exchange has been sent before.</exception>
    public static void Ask(this ILane lane, in ChannelKey to, RawExchange exchange)
    {
        ArgumentNullException.ThrowIfNull(exchange);
        var exchanges = LaneOf(lane);
        ThrowUnlessOwned(exchanges, nameof(Ask));
        RequestTarget.ThrowIfGroup(to.Peer);
        RawCall.Of(HandleOf(exchanges, to), exchange).Run();
    }

    /// <summary>Records that a peer has proven that it receives at its address, so that answers to it are not limited for a time.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="peer">The peer.</param>
    /// <remarks>Call this method on the lane. The time is <see cref="AmplificationSettings.VerificationLifetime"/>.</remarks>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>, or the peer is <see langword="default"/>.</exception>
    public static void Verify(this ILane lane, PeerIdentity peer)
    {
        Account.ThrowIfNone(peer);
        LaneOf(lane).Addresses?.Verify(peer);
    }

    /// <summary>Fails the request or notification whose message a stage at <see cref="MeshArrow.FramesOut"/> or a later arrow could not send.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="frame">The bytes of the message. Nothing happens if no exchange waits for an answer to it.</param>
    /// <param name="error">The error of the call.</param>
    /// <remarks>Call this method on the lane.</remarks>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    public static void Fail(this ILane lane, in Frame frame, CoapException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        if (LaneOf(lane).Exchanges.TryFind(frame, out var unsettled)) { unsettled.OnUndeliverable(error); }
    }

    /// <summary>Returns the account that is charged for a peer. Call this method on the lane.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="peer">The address of the peer. Until the peer has proven it, the account is <see cref="Account.Unverified"/>.</param>
    /// <param name="credentials">The credentials of the peer; <see langword="null"/> if it has none.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>, or the address is <see langword="default"/>.</exception>
    public static Account AccountOf(this ILane lane, PeerIdentity peer, PeerCredentials? credentials = null)
    {
        Account.ThrowIfNone(peer);
        return LaneOf(lane).AccountOf(peer, credentials);
    }

    /// <summary>
    /// Charges an account for what a stage holds for its peers. Returns <see langword="null"/> if the account would exceed its share of the limit.
    /// Safe for concurrent use.
    /// </summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="resource">The limit.</param>
    /// <param name="account">The account, see <see cref="AccountOf"/>.</param>
    /// <param name="amount">The number of connections, handshakes or bytes. At least 1.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="amount"/> is less than 1, or the limit is unknown.</exception>
    public static LedgerCharge? TryCharge(this ILane lane, LedgerResource resource, Account account, long amount = 1)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(amount, 1);
        var book = BookOf(LaneOf(lane).Ledger, resource);
        return book.TryCharge(account, amount) == Charge.Accepted ? new LedgerCharge(book, account, amount) : null;
    }

    /// <summary>Ends observations of a client of this endpoint without telling it, and returns them. Call this method on the lane of the client.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="peer">The client, and the local address of its requests.</param>
    /// <param name="most">The largest number of observations. A client may have thousands: take them in portions, each in a turn of its own.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="most"/> is less than 1.</exception>
    public static IReadOnlyList<StoredObserver> TakeObservers(this ILane lane, in ChannelKey peer, int most = int.MaxValue)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(most, 1);
        return ObserversOf(lane)?.Take(peer, most) ?? [];
    }

    /// <summary>
    /// Continues an observation, possibly of another peer or from another lane, and notifies the client of the current state. Call this method on the lane
    /// of the client.
    /// </summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="observer">The observation.</param>
    /// <param name="credentials">The credentials of the client; <see langword="null"/> if it has none.</param>
    /// <remarks>Nothing happens if there is no room for the observation, or its resource does not exist any more.</remarks>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    public static void ContinueObserver(this ILane lane, StoredObserver observer, PeerCredentials? credentials)
    {
        ArgumentNullException.ThrowIfNull(observer);
        ObserversOf(lane)?.Restore(observer, credentials, isStored: false);
    }

    /// <summary>
    /// Returns the local address from which datagrams to a peer are sent. Its IP address is unspecified if the system chooses it. <see langword="default"/> if
    /// the lane has none for the peer.
    /// </summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="peer">The peer.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    public static PeerIdentity LocalFor(this ILane lane, PeerIdentity peer) => (LaneOf(lane) as DatagramLane)?.LocalFor(peer) ?? default;

    /// <summary>Returns whether a message ID is in use for a message to a peer that still waits for an answer. Call this method on the lane.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="peer">The peer, and the local address.</param>
    /// <param name="messageId">The message ID.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    public static bool IsInUse(this ILane lane, in ChannelKey peer, MessageId messageId) => LaneOf(lane).Exchanges.HasMessageId(messageId, peer);

    /// <summary>Tells the endpoint that a session of a security layer has begun. Call this method on the lane.</summary>
    /// <param name="lane">The lane of the stage.</param>
    /// <param name="session">The session.</param>
    /// <exception cref="ArgumentException">The lane does not come from <see cref="LaneBuilder.Lane"/>.</exception>
    public static void SessionOpened(this ILane lane, in SecuredSession session)
    {
        var exchanges = LaneOf(lane);
        exchanges.SessionFollowers.OnBegun(session.Peer);
        exchanges.Events?.OnOpened((session, lane.Now), LaneSessions.KeyOf, static one => LaneSessions.Describe(one.session, one.Now));
    }

    /// <summary>Tells the endpoint that a session of a security layer has ended, so that tokens fire. Call this method on the lane.</summary>
    /// <inheritdoc cref="SessionOpened" path="/param|/exception"/>
    public static void SessionClosed(this ILane lane, in SecuredSession session)
    {
        var exchanges = LaneOf(lane);
        (exchanges as DatagramLane)?.Watches.OnSessionEnded(session.Peer);
        exchanges.Events?.OnClosed((session, lane.Now), LaneSessions.KeyOf, static one => LaneSessions.Describe(one.session, one.Now));
    }

    private static void ThrowUnlessOwned(ExchangeLane lane, string method)
    {
        if (!lane.IsOwnedByCaller) { throw new InvalidOperationException($"{method} must be called on the lane. Use ILane.Post to run it there."); }
    }

    private static ChannelHandle HandleOf(ExchangeLane lane, in ChannelKey to) =>
        lane is DatagramLane ? new DatagramChannelHandle(lane, to)
        : lane.Channels.TryFind(to, out var channel) ? new StreamChannelHandle((StreamChannel)channel)
        : throw new CoapTransportException($"The lane has no connection to {to.Peer}.");

    private static ObserverRegistry? ObserversOf(ILane lane) => LaneOf(lane).Features.Find<ObserverRegistry>();

    private static LedgerBook BookOf(Ledger ledger, LedgerResource resource) => resource switch
    {
        LedgerResource.Connections => ledger.Connections,
        LedgerResource.Handshakes => ledger.Handshakes,
        LedgerResource.Bytes => ledger.Bodies,
        LedgerResource.Sessions => ledger.Sessions,
        LedgerResource.SessionHandshakes => ledger.SessionHandshakes,
        _ => throw new ArgumentOutOfRangeException(nameof(resource), resource, $"The limit must be one of {string.Join(", ", Enum.GetNames<LedgerResource>())}."),
    };

    private static ExchangeLane LaneOf(ILane lane)
    {
        ArgumentNullException.ThrowIfNull(lane);
        return lane as ExchangeLane ?? throw new ArgumentException("The lane does not belong to an endpoint.", nameof(lane));
    }
}
