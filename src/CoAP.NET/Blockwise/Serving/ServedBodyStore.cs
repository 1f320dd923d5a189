using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Blockwise;

/// <summary>Holds the bodies that a lane collects and keeps as a server, and drops them when their lifetime ends.</summary>
internal sealed class ServedBodyStore : IPartialBodies, IMovableDeadline, IDisposable
{
    // The approximate size of the objects of one body.
    private const int Overhead = 1024;

    // Longer times would overflow the clock of the lane.
    private static readonly TimeSpan LongestLifetime = TimeSpan.FromDays(3650);

    private readonly ExchangeLane _lane;
    private readonly Dictionary<BodyKey, StreamedUpload> _requests = [];
    private readonly Dictionary<BodyKey, StreamedDownload> _responses = [];
    private readonly PeerIndex<StreamedUpload> _requestsOfPeers = new();
    private readonly PeerIndex<StreamedDownload> _responsesOfPeers = new();

    public ServedBodyStore(ExchangeLane lane, ServerTransferSettings settings, TransmissionParameters transmission)
    {
        (_lane, Settings) = (lane, settings);
        var lifetime = settings.Lifetime ?? transmission.ExchangeLifetime;
        if (lifetime > LongestLifetime) { lifetime = LongestLifetime; }
        Limits = new BodyLimits(
            settings.MaxBodySize, settings.MaxBodiesPerPeer, lifetime.Ticks, BlockSize.AtMost(settings.PreferredBlockSize), Overhead);
        Budget = new BodyBudget(Limits, lane.Ledger.Bodies);
        (Received, Kept) = (new RequestBodies(Limits, Budget), new ResponseBodies(Limits, Budget));
        lane.Own(this);
        lane.BodyBudget = Budget;
    }

    public ServerTransferSettings Settings { get; }

    public BodyLimits Limits { get; }

    /// <summary>The memory and the number of all bodies.</summary>
    public BodyBudget Budget { get; }

    /// <summary>The unread bytes of one streamed body above which the client has to wait; 0 if there is never room for them.</summary>
    public int Window => Budget.LargestCharge < ServerTransferSettings.LargestBlock ? 0 : (int)Math.Min(Settings.StreamWindow, Budget.LargestCharge);

    /// <summary>The request bodies that are being collected.</summary>
    public RequestBodies Received { get; }

    /// <summary>The response bodies that are kept.</summary>
    public ResponseBodies Kept { get; }

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    public void OnDeadline()
    {
        Received.Expire(_lane.Now);
        Kept.Expire(_lane.Now);
        Deadline = long.MaxValue;
        ScheduleExpiry();
    }

    /// <summary>Schedules the next expiry. Called after each change.</summary>
    public void ScheduleExpiry()
    {
        var next = Math.Min(Received.NextDeadline, Kept.NextDeadline);
        if (next != Deadline) { _lane.WakeAt(this, next); }
    }

    /// <summary>The number of bodies of every kind.</summary>
    public int Count => Received.Count + Kept.Count + _requests.Count + _responses.Count;

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out StreamedUpload? streamed) => _requests.TryGetValue(key, out streamed);

    /// <summary>Adds a streamed request. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(StreamedUpload streamed)
    {
        if (!TryOpen(streamed.Key)) { return false; }
        _requests.Add(streamed.Key, streamed);
        _requestsOfPeers.Add(streamed.Key.Peer, streamed);
        return true;
    }

    public bool TryFind(in BodyKey key, ulong? requestHash, [NotNullWhen(true)] out StreamedDownload? streamed) =>
        _responses.TryGetValue(key, out streamed) && (requestHash is null || requestHash == streamed.RequestHash);

    /// <summary>Adds a streamed response and ends an older one with the same key. Returns <see langword="false"/> if there is no room.</summary>
    public bool TryAdd(StreamedDownload streamed)
    {
        if (_responses.TryGetValue(streamed.Key, out var older)) { older.End(); }
        if (!TryOpen(streamed.Key)) { return false; }
        _responses.Add(streamed.Key, streamed);
        _responsesOfPeers.Add(streamed.Key.Peer, streamed);
        return true;
    }

    public void Remove(StreamedUpload streamed) => Close(_requests, _requestsOfPeers, streamed.Key, streamed);

    public void Remove(StreamedDownload streamed) => Close(_responses, _responsesOfPeers, streamed.Key, streamed);

    /// <summary>Returns whether the peer has to prove its address before a body is opened for it (RFC 9175, section 2.4, item 2).</summary>
    /// <remarks>Only the response of a handler that must not run again is kept for an unverified address.</remarks>
    public static bool MustVerify(IncomingRequest request) => request.Account.IsUnverified;

    /// <summary>Returns whether the peer has to prove its address before a response is cut into blocks, because each block would need the tag of the whole.</summary>
    public static bool MustChallenge(IncomingRequest request, CoapResponse response) =>
        MustVerify(request) && request.Method.IsSafe && RepresentationTags.Wants(response) && !RepresentationTags.IsAtHand(request, response);

    /// <summary>Ends all streamed requests and responses.</summary>
    public void Dispose()
    {
        foreach (var streamed in _requests.Values.ToArray()) { streamed.End("The endpoint has ended."); }
        foreach (var streamed in _responses.Values.ToArray()) { streamed.End(); }
    }

    /// <summary>Drops the bodies of a request's connection when the connection ends.</summary>
    public void Follow(IncomingRequest request)
    {
        if (request.Connection is { } connection && connection.FollowerOf<ConnectionBodyCleanup>() is null)
        {
            connection.Follow(new ConnectionBodyCleanup(this, connection));
        }
    }

    public void Drop(IncomingRequest request)
    {
        var key = KeyOf(request);
        Received.Drop(key);
        if (TryFind(key, out var streamed)) { streamed.EndIncomplete("A block was denied."); }
        ScheduleExpiry();
    }

    /// <summary>Drops the bodies of a connection that has ended.</summary>
    public void Forget(LaneChannel connection)
    {
        var peer = new BodyPeer(connection.Key, connection);
        if (Budget.Has(peer))
        {
            Received.Forget(peer);
            foreach (var streamed in _requestsOfPeers.Of(peer).ToArray()) { streamed.EndIncomplete("The connection has ended."); }
            foreach (var streamed in _responsesOfPeers.Of(peer).ToArray()) { streamed.End(); }
        }
        Kept.Forget(peer);
        ScheduleExpiry();
    }

    /// <summary>Returns the time after which there may be room again.</summary>
    public TimeSpan UntilRoom()
    {
        var next = Math.Min(Received.NextDeadline, Kept.NextDeadline);
        return TimeSpan.FromTicks(next == long.MaxValue ? Limits.Lifetime : Math.Max(TimeSpan.TicksPerSecond, next - _lane.Now));
    }

    /// <summary>Returns the key of the body that a request belongs to.</summary>
    public static BodyKey KeyOf(IncomingRequest request) =>
        new(new BodyPeer(request.Key, request.Connection), request.Method, request.Options)
        {
            Account = request.Account,
            Identity = request.Credentials?.Key,
        };

    // A streamed body is charged with its key and one window of memory. What exceeds every share counts as the largest.
    private long ChargeOf(in BodyKey key) => Math.Min(Window + Limits.OverheadOf(key.Operation.Length), Budget.LargestCharge);

    private bool TryOpen(in BodyKey key)
    {
        if (!Budget.TryOpen(key.Peer)) { return false; }
        if (Budget.TryTake(key.Account, ChargeOf(key))) { return true; }
        Budget.Close(key.Peer);
        return false;
    }

    private void Close<T>(ICollection<KeyValuePair<BodyKey, T>> table, PeerIndex<T> ofPeers, in BodyKey key, T streamed)
    {
        if (!table.Remove(new(key, streamed))) { return; }
        ofPeers.Remove(key.Peer, streamed);
        Budget.Close(key.Peer);
        Budget.Give(key.Account, ChargeOf(key));
    }
}
