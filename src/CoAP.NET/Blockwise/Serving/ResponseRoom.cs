using CoAP.Exchanges;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Blockwise;

/// <summary>Computes how much of a response's body fits into a message to a peer.</summary>
internal readonly struct ResponseRoom(int limit, int threshold, IncomingRequest request, bool offersEcho = false)
{
    // The greatest size of ETag, Block1, Block2 and Size2, each with its option header.
    private const int OwnOptions = 10 + 5 + 5 + 6;
    private const int Marker = 1;

    private int TokenLength => request.Message.TokenInPlace.Length;

    private int Reserved => request.LastBlock is null ? 0 : OwnOptions;

    private int Header => request.IsReliable ? StreamHeader.GetLength(limit) : DatagramHeader.Length;

    /// <summary>Whether the blocks are small because the address is unverified, and each offers an Echo option.</summary>
    public bool OffersEcho => offersEcho;

    /// <summary>Returns the room for a response to a request. An unverified address gets small blocks of some responses (<see cref="SmallBlocks"/>).</summary>
    public static ResponseRoom Of(ServedBodyStore bodies, IncomingRequest request, CoapResponse response)
    {
        if (!SmallBlocks.MayServe(request, response)) { return Of(bodies, request); }
        var (allowance, threshold) = (request.Allowance, bodies.Settings.MaxDatagramPayload ?? int.MaxValue);
        if (new ResponseRoom(allowance, threshold, request).Fits(response)) { return Of(bodies, request); }
        return new(Math.Min(allowance, request.ResponseLimits.MaxSize) - SmallBlocks.EchoSize, threshold, request, offersEcho: true);
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
        return payload <= threshold && MessageLimits.SizeOf(response.Options, payload, request.IsReliable, TokenLength) + Reserved <= limit;
    }

    /// <summary>Returns the largest payload that fits beside the options and those of a transfer. Negative if the options alone do not fit.</summary>
    public int MaxPayloadWith(in OptionSet options) => limit - Header - TokenLength - Reserved - OwnOptions - Marker - options.Wire.Length;

    /// <summary>Finds the largest block size that fits, and the bytes of one BERT message. Returns <see langword="false"/> if no block fits.</summary>
    public bool TryFindSize(in OptionSet options, BlockSize preferred, out BlockSize size, out int bytes)
    {
        var room = MaxPayloadWith(options);
        bytes = room & ~(BlockSize.Bert.Bytes - 1);
        size = preferred.IsBert && bytes > 0 ? preferred : BlockSize.Min(preferred, BlockSize.AtMost(room));
        return room >= BlockSize.Smallest.Bytes;
    }
}
