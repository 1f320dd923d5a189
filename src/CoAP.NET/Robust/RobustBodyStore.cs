using System.Diagnostics.CodeAnalysis;
using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>The bodies that come and go robustly on a lane. They share the limits and bytes of those of RFC 7959.</summary>
internal sealed class RobustBodyStore(ExchangeLane lane, ServedBodyStore bodies, RobustTransferSettings settings)
{
    private readonly Dictionary<BodyKey, RobustRequestBody> _uploads = [];
    private readonly Dictionary<BodyKey, RobustResponseBody> _servings = [];
    private readonly Dictionary<BodyPeer, List<RobustResponseBody>> _servedPeers = [];
    private readonly LinkedList<RobustRequestBody> _finished = new();

    /// <summary>How many bodies something is remembered of.</summary>
    public int Count => _uploads.Count + _servings.Count;

    public ServedBodyStore Bodies => bodies;

    public RobustTransferSettings Settings => settings;

    /// <summary>The source of blocks that are sent when their time has come.</summary>
    public Output<OutgoingMessage> Blocks { get; } = new();

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out RobustRequestBody? upload) => _uploads.TryGetValue(key, out upload);

    public bool TryFind(in BodyKey key, [NotNullWhen(true)] out RobustResponseBody? serving) => _servings.TryGetValue(key, out serving);

    /// <summary>Begins to collect a body, unless the peer sends too many.</summary>
    public bool TryOpen(in BodyKey key, IncomingRequest request, [NotNullWhen(true)] out RobustRequestBody? upload)
    {
        upload = null;
        if (!bodies.Budget.TryOpen(key.Peer)) { return false; }
        upload = new RobustRequestBody(lane, this, key, request);
        _uploads.Add(key, upload);
        return true;
    }

    /// <summary>Charges a body with the memory that it has taken by now; <see langword="false"/> where there is not so much.</summary>
    public bool TryCharge(RobustBody entry, long bytes)
    {
        if (!bodies.Budget.TryTake(bytes - entry.Charged)) { return false; }
        entry.Charged = bytes;
        return true;
    }

    /// <summary>The body is complete: its memory is the handler's, and what is remembered of it one of the finished.</summary>
    public byte[] Finish(RobustRequestBody upload)
    {
        Close(upload);
        upload.Place = _finished.AddLast(upload);
        var whole = upload.Finish();
        while (_finished.Count > settings.MaxFinishedBodies) { Remove(_finished.First!.Value); }
        return whole;
    }

    /// <summary>Keeps a response for sending, in the place of an older one; <see langword="false"/> where there is no room.</summary>
    public bool TryServe(RobustResponseBody entry, long bytes)
    {
        if (_servings.TryGetValue(entry.Body, out var older)) { Remove(older); }
        if (_servedPeers.TryGetValue(entry.Body.Peer, out var ofPeer))
        {
            while (ofPeer.Count >= bodies.Limits.MaxBodiesPerPeer) { Remove(ofPeer[0]); }
        }
        if (bytes > bodies.Limits.MaxBodySize || !TryCharge(entry, bytes)) { return false; }
        _servings.Add(entry.Body, entry);
        if (!_servedPeers.TryGetValue(entry.Body.Peer, out ofPeer)) { _servedPeers[entry.Body.Peer] = ofPeer = []; }
        ofPeer.Add(entry);
        return true;
    }

    public void Remove(RobustRequestBody upload)
    {
        upload.Rest();
        if (!_uploads.Remove(upload.Body)) { return; }
        if (upload.Place is { } place) { _finished.Remove(place); }
        else { Close(upload); }
    }

    public void Remove(RobustResponseBody serving)
    {
        serving.Rest();
        if (!_servings.TryGetValue(serving.Body, out var found) || found != serving) { return; }
        _servings.Remove(serving.Body);
        var ofPeer = _servedPeers[serving.Body.Peer];
        ofPeer.Remove(serving);
        if (ofPeer.Count == 0) { _servedPeers.Remove(serving.Body.Peer); }
        bodies.Budget.Give(serving.Charged);
    }

    private void Close(RobustRequestBody upload)
    {
        bodies.Budget.Close(upload.Body.Peer);
        bodies.Budget.Give(upload.Charged);
        upload.Charged = 0;
    }
}
