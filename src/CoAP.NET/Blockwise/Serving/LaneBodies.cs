using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Blockwise;

/// <summary>The bodies that a lane collects and keeps, and the time at which it forgets them.</summary>
internal sealed class LaneBodies : ILaneDeadline, IDisposable
{
    // About what the objects of a body take.
    private const int Overhead = 1024;

    private readonly ExchangeLane _lane;
    private readonly Dictionary<BodyKey, Upload> _uploads = [];
    private readonly Dictionary<BodyKey, Download> _downloads = [];

    public LaneBodies(ExchangeLane lane, ServedBodySettings settings)
    {
        (_lane, Settings) = (lane, settings);
        var lifetime = settings.Lifetime ?? lane.Settings.Transmission.ExchangeLifetime;
        Limits = new BodyLimits(
            settings.MaxBodySize, settings.MaxBodiesPerPeer, settings.MaxTotalSize, lifetime.Ticks, BlockSize.AtMost(settings.PreferredBlockSize), Overhead);
        Budget = new BodyBudget(Limits);
        (Received, Kept) = (new RequestBodies(Limits, Budget), new ResponseBodies(Limits, Budget));
        lane.Own(this);
    }

    public ServedBodySettings Settings { get; }

    public BodyLimits Limits { get; }

    /// <summary>What all bodies take.</summary>
    public BodyBudget Budget { get; }

    /// <summary>What comes.</summary>
    public RequestBodies Received { get; }

    /// <summary>What goes.</summary>
    public ResponseBodies Kept { get; }

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    public void OnDeadline()
    {
        Received.Expire(_lane.Now);
        Kept.Expire(_lane.Now);
        Deadline = long.MaxValue;
        Watch();
    }

    /// <summary>After each change: the lane wakes when the next body is over.</summary>
    public void Watch()
    {
        var next = Math.Min(Received.NextDeadline, Kept.NextDeadline);
        if (next == Deadline) { return; }
        Deadline = next;
        _lane.Schedule(this);
    }

    /// <summary>The bodies that are there, of each kind.</summary>
    public int Count => Received.Count + Kept.Count + _uploads.Count + _downloads.Count;

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out Upload? upload)
    {
        upload = null;
        return _uploads.Count > 0 && _uploads.TryGetValue(key, out upload);
    }

    /// <summary>Takes note of a body that is read as it comes; <see langword="false"/> where there is no room for one more.</summary>
    public bool TryAdd(Upload upload)
    {
        if (!TryOpen(upload.Key.Peer)) { return false; }
        _uploads.Add(upload.Key, upload);
        return true;
    }

    public bool TryFind(in BodyKey key, ulong? requestHash, [NotNullWhen(true)] out Download? download)
    {
        download = null;
        return _downloads.Count > 0 && _downloads.TryGetValue(key, out download) && (requestHash is null || requestHash == download.RequestHash);
    }

    /// <summary>Takes note of a body that is read while it is sent, in the place of an older one.</summary>
    public bool TryAdd(Download download)
    {
        if (_downloads.TryGetValue(download.Key, out var older)) { older.End(); }
        if (!TryOpen(download.Key.Peer)) { return false; }
        _downloads.Add(download.Key, download);
        return true;
    }

    public void Remove(Upload upload)
    {
        if (_uploads.TryGetValue(upload.Key, out var known) && known == upload) { Close(_uploads, upload.Key); }
    }

    public void Remove(Download download)
    {
        if (_downloads.TryGetValue(download.Key, out var known) && known == download) { Close(_downloads, download.Key); }
    }

    /// <summary>
    /// Whether the peer has to show that its address is its own before one more body is opened for it: forged ones may take half of the room, so
    /// that the other half is left for those who answer (RFC 9175, section 2.4, item 2).
    /// </summary>
    public bool MustVerify(IncomingRequest request) => Budget.IsTight && request.Allowance != int.MaxValue;

    /// <summary>The endpoint ends, or what it has to remember does: readers and streams are let go.</summary>
    public void Dispose()
    {
        foreach (var upload in _uploads.Values.ToArray()) { upload.End("The endpoint has ended."); }
        foreach (var download in _downloads.Values.ToArray()) { download.End(); }
    }

    /// <summary>What is kept for a request from now on goes with its connection.</summary>
    public void Follow(IncomingRequest request)
    {
        if (request.Connection is { } connection && connection.FollowerOf<ConnectionBodies>() is null) { connection.Follow(new ConnectionBodies(this, connection)); }
    }

    /// <summary>The connection has ended.</summary>
    public void Forget(LaneChannel connection)
    {
        var peer = new BodyPeer(connection.Key, connection);
        if (Budget.Has(peer))
        {
            Received.Forget(peer);
            foreach (var upload in _uploads.Values.Where(upload => upload.Key.Peer == peer).ToArray()) { upload.Disconnect(); }
            foreach (var download in _downloads.Values.Where(download => download.Key.Peer == peer).ToArray()) { download.End(); }
        }
        Kept.Forget(peer);
        Watch();
    }

    /// <summary>The time after which there may be room again.</summary>
    public TimeSpan UntilRoom()
    {
        var next = Math.Min(Received.NextDeadline, Kept.NextDeadline);
        return TimeSpan.FromTicks(next == long.MaxValue ? Limits.Lifetime : Math.Max(TimeSpan.TicksPerSecond, next - _lane.Now));
    }

    /// <summary>Which body a request belongs to.</summary>
    public static BodyKey KeyOf(IncomingRequest request) =>
        new(new BodyPeer(request.Key, request.Connection), request.Method, request.Options);

    // What is read while it goes takes a window of memory, whatever its length.
    private bool TryOpen(in BodyPeer peer)
    {
        if (!Budget.TryOpen(peer)) { return false; }
        if (Budget.TryTake(Settings.StreamWindow)) { return true; }
        Budget.Close(peer);
        return false;
    }

    private void Close<T>(Dictionary<BodyKey, T> table, in BodyKey key)
    {
        table.Remove(key);
        Budget.Close(key.Peer);
        Budget.Give(Settings.StreamWindow);
    }
}
