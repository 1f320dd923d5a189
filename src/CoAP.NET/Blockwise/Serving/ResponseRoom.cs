using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Blockwise;

/// <summary>Computes how much of a response's body fits into a message to a peer.</summary>
internal readonly struct ResponseRoom
{
    // The greatest size of ETag, Block1, Block2 and Size2, each with its option header.
    private const int OwnOptions = 10 + 5 + 5 + 6;
    private const int Marker = 1;

    private readonly int _limit;
    private readonly int _threshold;
    private readonly int _token;
    private readonly int _reserved;
    private readonly bool _isReliable;

    private ResponseRoom(int limit, int threshold, IncomingRequest request)
    {
        (_limit, _threshold, _isReliable) = (limit, threshold, request.IsReliable);
        (_token, _reserved) = (request.Message.TokenInPlace.Length, request.LastBlock is null ? 0 : OwnOptions);
    }

    public static ResponseRoom Of(ServedBodyStore bodies, IncomingRequest request)
    {
        var limit = request.ResponseLimits.MaxSize;
        if (request.IsReliable) { return new(limit, int.MaxValue, request); }
        // An unverified address gets smaller blocks if the handler has run already, because then a 4.01 with Echo cannot replace the response.
        if (!request.Method.IsSafe) { limit = Math.Min(limit, request.Allowance - DatagramHeader.Length); }
        return new(limit, bodies.Settings.MaxDatagramPayload ?? int.MaxValue, request);
    }

    /// <summary>Returns <see langword="true"/> if the whole response fits into a message.</summary>
    public bool Fits(CoapResponse response)
    {
        var payload = response.Payload.Length;
        if (payload > _threshold) { return false; }
        return MessageLimits.SizeOf(response.Options, payload, _isReliable, _token) + _reserved <= _limit;
    }

    /// <summary>Returns <see langword="true"/> if the peer accepts blocks. On connections, its CSM or request shows that (RFC 8323, section 5.3.2).</summary>
    public static bool MayCut(IncomingRequest request, Block2? wanted) =>
        request.Connection is not { } connection || connection.PeerSupportsBlockWise || wanted is not null;

    /// <summary>Returns the largest payload that fits beside the options and those of a transfer. Negative if the options alone do not fit.</summary>
    public int MaxPayloadWith(in OptionSet options) => _limit - HeaderOf(_limit) - _token - _reserved - OwnOptions - Marker - options.Wire.Length;

    /// <summary>Finds the largest block size that fits, and the bytes of one BERT message. Returns <see langword="false"/> if no block fits.</summary>
    public bool TryFindSize(in OptionSet options, BlockSize preferred, out BlockSize size, out int bytes)
    {
        var room = MaxPayloadWith(options);
        bytes = room & ~(BlockSize.Bert.Bytes - 1);
        size = preferred.IsBert && bytes > 0 ? preferred : BlockSize.Min(preferred, BlockSize.AtMost(room));
        return room >= BlockSize.Smallest.Bytes;
    }

    private int HeaderOf(long tail) => _isReliable ? StreamHeader.GetLength(tail) : DatagramHeader.Length;
}
