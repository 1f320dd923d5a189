using System.Net.Sockets;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Reliability;
using CoAP.Serialization;
using CoAP.Transports;

namespace CoAP.Datagrams;

/// <summary>A lane over datagram sockets. Its transport is the source and the sink of the mesh.</summary>
internal sealed class DatagramLane : ExchangeLane, IDatagramReceiver
{
    // In bytes. An ICMP error fits into the minimum MTU of IPv6 (RFC 4443, section 2.4). Searching a longer quote would waste time on forged errors.
    private const int LongestQuote = 1280;

    private readonly IDatagramTransport _transport;
    private readonly bool _hearsGroups;
    private readonly BorrowedMemory _borrowed = new();
    private DatagramLane? _next;
    private int _siblings;
    private readonly LocalAddresses _locals;
    private long _nextMetricsUpdate;     // once a second, because computing the age reads twelve lists

    /// <param name="lane">The clock and the log.</param>
    /// <param name="settings">The settings of the exchanges.</param>
    /// <param name="ledger">The ledger of the endpoint.</param>
    /// <param name="deduplication">The limits of the deduplication table.</param>
    /// <param name="transport">The sockets.</param>
    /// <param name="hearsGroups">Whether requests to groups are answered.</param>
    public DatagramLane(
        LaneSettings lane, ExchangeSettings settings, Ledger ledger, DeduplicationSettings deduplication, IDatagramTransport transport, bool hearsGroups = false)
        : base(lane, settings, ledger, isReliable: false)
    {
        (_transport, _hearsGroups) = (transport, hearsGroups);
        _locals = new LocalAddresses(transport.LocalEndPoints);
        FurtherPorts = new FurtherPorts(this, transport, settings.MaxFurtherPorts);
        Deduplication = new Deduplication(deduplication, settings.Transmission, HashKey);
        Watches = new PeerWatches(this);
    }

    public IDatagramTransport Transport => _transport;

    /// <summary>Creates the services of a request; <see langword="null"/> if requests have none.</summary>
    public Func<IncomingRequest, IServiceProvider>? RequestServices { get; init; }

    /// <summary>Recognizes duplicates (RFC 7252, section 4.5).</summary>
    public Deduplication Deduplication { get; }

    /// <summary>The local ports that were opened when the message IDs of the others were used up.</summary>
    public FurtherPorts FurtherPorts { get; }

    /// <summary>The tokens that fire when a peer is gone.</summary>
    public PeerWatches Watches { get; }

    /// <summary>The sessions of a security layer; <see langword="null"/> if the lane has none, or the layer does not report them.</summary>
    public LaneSessions? Sessions { get; set; }

    /// <summary>Ends the session of a peer whose local port is about to be closed; <see langword="null"/> if the lane has none.</summary>
    public Action<ChannelKey>? EndSession { get; set; }

    /// <summary>Returns whether a peer is one of a security layer. Any thread. <see langword="null"/> if the lane has no such layer.</summary>
    public Func<PeerIdentity, bool>? IsSecured { get; set; }

    protected override bool IsOfSession(in PeerIdentity peer) => IsSecured?.Invoke(peer) == true;

    /// <summary>The source of messages that other lanes on the same port could not match.</summary>
    public Output<ReceivedMessage> HandedOver { get; } = new();

    /// <summary>Called with an undelivered datagram of a security layer; <see langword="null"/> if the lane has none.</summary>
    public Action<Frame, SocketError>? Undelivered { get; set; }

    /// <summary>Links the lanes that share a port into a ring.</summary>
    public static void Join(IReadOnlyList<DatagramLane> lanes)
    {
        for (var i = 0; i < lanes.Count; i++)
        {
            lanes[i]._next = lanes[(i + 1) % lanes.Count];
            lanes[i]._siblings = lanes.Count - 1;
        }
    }

    public override bool TryHandOver(in ReceivedMessage message)
    {
        if (message.Hops >= _siblings || _next is not { } next) { return false; }
        var kept = new ReceivedMessage(message.Frame.Keep(), message.Message) { Hops = message.Hops + 1 };
        next.Post(new LaneAction(() => next.HandedOver.Emit(kept)));
        return true;
    }

    public override void Forget(Ticket ticket) => Deduplication.Forget(ticket);

    public override void Retain(in ChannelKey key, Ticket ticket, RetentionClass retention) =>
        Deduplication.Retain(ticket, retention, default, Now, HasVerified(key.Peer));

    /// <summary>Returns the local address from which requests to a peer are sent. The port selects the socket; the system may choose the address.</summary>
    /// <param name="peer">The receiver of the request.</param>
    /// <param name="turn">Spreads requests over the ports that can reach the peer. Each port has its own message IDs.</param>
    public PeerIdentity LocalFor(in PeerIdentity peer, uint turn = 0) => _locals.For(peer, turn);

    /// <summary>Queues one datagram, which is sent at the end of the turn.</summary>
    public override void Transmit(in Frame frame)
    {
        if (frame.Group is { } path)
        {
            path.Report(_transport.SendToGroup(frame.Key, frame.Bytes.Span, path));
            return;
        }
        if (!_transport.Send(frame.Key, frame.Bytes.Span) && Exchanges.TryFind(frame, out var unsettled))
        {
            unsettled.OnNetworkError(SocketError.AddressFamilyNotSupported);
        }
    }

    public override void WaitForWork(TimeSpan timeout) => _transport.Wait(timeout);

    public override void WakeUp() => _transport.Wake();

    public override ValueTask WaitAsync() => _transport.WaitAsync();

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => HandOn(key, datagram, group: null);

    void IDatagramReceiver.OnGroupDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        // A wildcard socket receives broadcasts even if it has not joined a group (RFC 7252, section 8).
        if (!_hearsGroups) { Metrics[LaneCounters.IgnoredMulticasts]++; }
        else { HandOn(key, datagram, GroupPath.Received); }
    }

    private unsafe void HandOn(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath? group)
    {
        fixed (byte* start = datagram)
        {
            var memory = _borrowed.Lend(start, datagram.Length);
            try { Incoming.Emit(new Frame(key, memory) { Group = group }); }
            catch (Exception exception) // The edge of the receive loop: one message must not end the lane.
            {
                Log.StageFailed(exception, key.Peer);
            }
            finally { _borrowed.Return(); }
        }
    }

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error)
    {
        if (Undelivered is { } undelivered && quoted.Length > 0 && quoted[0] >> 6 != DatagramHeader.Version)
        {
            undelivered(new Frame(key, quoted.ToArray()), error);
            return;
        }
        var isOwn = TryFail(key, quoted, error, isWhole: false);
        Watches.OnUndelivered(key.Peer, quoted, isOwn);
        if (!isOwn) { return; }
        // On one machine, the error can concern several datagrams that were handed to the kernel as one buffer. They are quoted behind the first.
        for (var rest = quoted[DatagramHeader.Length..Math.Min(quoted.Length, LongestQuote)]; rest.Length > DatagramHeader.Length; rest = rest[1..])
        {
            if (rest[0] >> 6 == DatagramHeader.Version) { TryFail(key, rest, error, isWhole: true); }
        }
    }

    /// <summary>Fails the exchange that sent a quoted datagram; returns <see langword="false"/> if there is none.</summary>
    /// <param name="key">The receiver of the datagram.</param>
    /// <param name="quoted">The datagram, or its beginning.</param>
    /// <param name="error">The error that the network reported.</param>
    /// <param name="isWhole">Whether the quote must contain a whole, nonempty token. Required if the quote may start at bytes that only look like a
    /// datagram.</param>
    private bool TryFail(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error, bool isWhole)
    {
        if (quoted.Length < DatagramHeader.Length) { return false; }
        if (!Exchanges.TryFind(DatagramHeader.ReadMessageId(quoted), key, out var unsettled)) { return false; }
        // An older message can have the same message ID, so the token must match too, as far as it was quoted.
        var token = unsettled.Token;
        Span<byte> expected = new byte[TokenFormat.ExtendedLength(token.Length) + token.Length];
        TokenFormat.Write(expected, token, extendedAt: 0);      // a long token stands behind its extended length (RFC 8974, section 2.1)
        var behindHeader = quoted[DatagramHeader.Length..];
        var length = Math.Min(expected.Length, behindHeader.Length);
        if (isWhole && (length == 0 || length < expected.Length)) { return false; }
        if (!behindHeader[..length].SequenceEqual(expected[..length])) { return false; }
        unsettled.OnNetworkError(error);
        return true;
    }

    public override bool MustReceive => _transport.MustReceive;

    protected override bool Receive()
    {
        var isBusy = _transport.Receive(this) > 0 && _transport.MayHaveMore;
        if (Now >= _nextMetricsUpdate)
        {
            _nextMetricsUpdate = Now + TimeSpan.TicksPerSecond;
            Metrics[LaneCounters.DeduplicationWindow] = Deduplication.OldestAge(Now);
            Metrics[LaneCounters.ForgottenAnswers] = Deduplication.Dropped;
        }
        return isBusy;
    }

    protected override void Flush() => _transport.Flush();

    public override void Dispose()
    {
        _transport.Dispose();
        ((IDisposable)_borrowed).Dispose();
    }
}
