using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The server side of a body in Q-Block1 requests (RFC 9177, section 4.3).</summary>
/// <param name="settings">The times.</param>
/// <param name="maxBody">The largest body in bytes.</param>
/// <param name="probingRate">PROBING_RATE in bytes per second.</param>
/// <param name="now">The time.</param>
internal sealed class RobustUploadServer(RobustTransferSettings settings, long maxBody, double probingRate, long now)
{
    // Far below the smallest datagram. By default, MAX_PAYLOADS numbers need 50 bytes.
    private const int MaxReport = 768;

    private readonly RobustReceiver _receiver = new(settings, maxBody, probingRate, now);

    public long Deadline => _receiver.Deadline;

    /// <summary>Whether too many requests for missing blocks were not answered.</summary>
    public bool HasTimedOut { get; private set; }

    /// <summary>The token of the last request, which the response uses (RFC 9177, section 4.3).</summary>
    public Token LastToken { get; private set; }

    /// <summary>The memory of the body in bytes.</summary>
    public long Held => _receiver.Held;

    public BlockSize Size => _receiver.Size;

    /// <summary>Processes a request with Q-Block1 that <see cref="RobustRules.Refusal"/> accepts.</summary>
    public RobustOutcome OnRequest(CoapMessage request, long now)
    {
        LastToken = request.Token;
        // Only non-confirmable requests get 2.31 and 4.08; confirmable ones are acknowledged one by one (RFC 9177, sections 4.3 and 5).
        _receiver.Asks = request.Type != MessageType.Confirmable;
        return _receiver.Accept(request.Options.Get<QBlock1>()!, request.Options.Get<Size1>()!.Value, request.Payload.Span, now);
    }

    /// <summary>Returns the response to send now: 2.31, or 4.08 with the missing blocks.</summary>
    public bool TryNext(long now, out RobustPart part)
    {
        var ask = _receiver.Poll(now);
        HasTimedOut |= ask.Kind == RobustAskKind.GiveUp;
        part = ask.Kind switch
        {
            RobustAskKind.Continue => new(ResponseCode.Continue, LastToken, [new QBlock1(ask.Next - 1, true, Size.Exponent)], default),
            RobustAskKind.Missing => new(
                ResponseCode.RequestEntityIncomplete, LastToken, [new ContentFormat(ContentFormats.MissingBlocks)],
                MissingBlocks.Write(ask.Numbers, MaxReport)),
            _ => default,
        };
        return !part.Code.IsEmpty;
    }

    /// <summary>Returns the complete body.</summary>
    public byte[] Take() => _receiver.Take();
}
