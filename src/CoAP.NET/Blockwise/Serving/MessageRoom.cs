using CoAP.Options;
using CoAP.Serialization;
using CoAP.Vocabulary;

namespace CoAP.Blockwise;

/// <summary>How much of a body fits into a message to a peer.</summary>
internal readonly struct MessageRoom
{
    // ETag, Block1, Block2 and Size2 with their heads, at most.
    private const int OwnOptions = 10 + 5 + 5 + 6;
    private const int Marker = 1;

    private readonly int _limit;
    private readonly int _threshold;
    private readonly int _token;
    private readonly bool _isReliable;

    private MessageRoom(int limit, int threshold, IncomingRequest request)
    {
        (_limit, _threshold, _isReliable) = (limit, threshold, request.IsReliable);
        _token = request.Message.TokenInPlace.Length + (request.LastBlock is null ? 0 : OwnOptions);
    }

    public static MessageRoom Of(LaneBodies bodies, IncomingRequest request)
    {
        var limit = request.ResponseLimits.MaxSize;
        if (request.IsReliable) { return new(limit, int.MaxValue, request); }
        // An address that may be forged gets smaller blocks if a 4.01 with Echo cannot be sent instead, because the handler has run.
        if (!request.Method.IsSafe) { limit = Math.Min(limit, request.Allowance - DatagramHeader.Length); }
        return new(limit, bodies.Settings.Threshold ?? int.MaxValue, request);
    }

    /// <summary>Whether the whole response fits.</summary>
    public bool Fits(CoapResponse response)
    {
        var payload = response.Payload.Length;
        if (payload > _threshold) { return false; }
        long tail = response.Options.Wire.Length + (payload == 0 ? 0L : Marker + payload);
        return HeaderOf(tail) + _token + tail <= _limit;
    }

    /// <summary>Whether the peer can be sent blocks: over connections it says so, by its CSM or by asking for one (RFC 8323, section 5.3.2).</summary>
    public static bool MayCut(IncomingRequest request, Block2? wanted) =>
        request.Connection is not { } connection || connection.PeerSupportsBlockWise || wanted is not null;

    /// <summary>The largest payload that fits besides the options and those of a transfer; negative where none does.</summary>
    public int For(in OptionSet options) => _limit - HeaderOf(_limit) - _token - OwnOptions - Marker - options.Wire.Length;

    /// <summary>The largest blocks that fit, and the bytes of one message where that is BERT; nothing where not even the smallest do.</summary>
    public bool TryFindSize(in OptionSet options, BlockSize preferred, out BlockSize size, out int bytes)
    {
        var room = For(options);
        bytes = room & ~(BlockSize.Bert.Bytes - 1);
        size = preferred.IsBert && bytes > 0 ? preferred : BlockSize.Min(preferred, BlockSize.AtMost(room));
        return room >= BlockSize.Smallest.Bytes;
    }

    private int HeaderOf(long tail) => _isReliable ? StreamHeader.GetLength(tail) : DatagramHeader.Length;
}
