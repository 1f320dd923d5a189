using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The server side of a body in Q-Block2 responses (RFC 9177, section 4.4).</summary>
/// <remarks>
/// Blocks have the token of the request for the body, also after a Continue. Requested blocks have the token of that request and no Observe
/// (RFC 9177, section 4.5).
/// </remarks>
/// <param name="code">The response code.</param>
/// <param name="options">The options of the response, with the ETag of the body.</param>
/// <param name="body">The body.</param>
/// <param name="size">The block size.</param>
/// <param name="token">The token of the request.</param>
/// <param name="settings">The times.</param>
/// <param name="now">The time.</param>
/// <param name="chance">A random number from 0 to 1 for NON_TIMEOUT_RANDOM.</param>
/// <param name="first">The first block to send unrequested; <see cref="int.MaxValue"/> to send requested blocks only.</param>
internal sealed class RobustDownloadServer(
    CoapCode code, OptionSet options, ReadOnlyMemory<byte> body, BlockSize size, Token token, RobustTransferSettings settings, long now, double chance,
    int first = 0)
{
    private readonly BlockPacing _sender =
        new(size.CountOf(body.Length), settings, now, chance, Math.Min(first, size.CountOf(body.Length))) { NeedsRequests = true };

    private readonly OptionSet _options = WithSize(options, body.Length);
    private readonly OptionSet _againOptions = WithSize(options.Without(Observe.Declaration.Number), body.Length);
    private Token _token = token;
    private Token _askedBy = token;
    private bool _isWaiting = first == int.MaxValue;

    /// <summary>The time of the next poll; in the past while there is something to send.</summary>
    public long Deadline => _sender.Deadline;

    /// <summary>Whether the client was silent for so long that the body can be dropped.</summary>
    public bool IsOver => _sender.IsOver;

    /// <summary>Returns whether there is a block to send now.</summary>
    public bool IsDue(long now) => _sender.IsDue(now);

    /// <summary>Returns the message that ends the body with an error.</summary>
    public RobustPart End(CoapCode error, OptionSet errorOptions, ReadOnlyMemory<byte> diagnostic) => new(error, _token, errorOptions, diagnostic);

    /// <summary>Processes a request for more of this body that <see cref="RobustRules.Refusal"/> accepts.</summary>
    public RobustOutcome OnRequest(CoapMessage request, long now)
    {
        var asked = request.Options.GetAll<QBlock2>();
        if (asked.Count == 0 || asked[0].SizeExponent != size.Exponent) { return RobustOutcome.Rejected(ResponseCode.BadRequest); }
        if (_isWaiting && asked is [{ HasMore: true } from])
        {
            // So far the responses were to a confirmable request. From now on this request is treated as the one for the body.
            (_isWaiting, _token) = (false, request.Token);
            _sender.StartFrom(from.BlockNumber, now);
        }
        else if (asked is [{ HasMore: true } only] && only.BlockNumber % settings.MaxPayloads == 0 && only.BlockNumber > 0)
        {
            _sender.Continue(only.BlockNumber, now);
        }
        else
        {
            _askedBy = request.Token;
            _sender.Missing(RobustRules.Expand(asked, settings.MaxPayloads, _sender.Count), now);
        }
        return RobustOutcome.Continue;
    }

    /// <summary>Returns the blocks that a confirmable request asks for, or <see langword="null"/> if their size is another one.</summary>
    /// <remarks>The bit M asks for all blocks from there on, because acknowledgements take the place of a Continue (RFC 9177, section 4.4).</remarks>
    public IEnumerable<int>? Wanted(CoapMessage request)
    {
        var asked = request.Options.GetAll<QBlock2>();
        if (asked.Count == 0) { return Enumerable.Range(0, _sender.Count); }
        if (!HasSize(asked)) { return null; }
        return asked is [{ HasMore: true } from]
            ? Enumerable.Range(from.BlockNumber, Math.Max(_sender.Count - from.BlockNumber, 0))
            : RobustRules.Expand(asked, settings.MaxPayloads, _sender.Count);
    }

    /// <summary>Returns a block for a request that gets it in confirmable messages.</summary>
    /// <param name="number">The number of the block.</param>
    /// <param name="asker">The token of the request.</param>
    /// <param name="isOfBody">Whether the request was for the body. All its blocks have Observe then, and missing blocks have not (RFC 9177, section 4.5).</param>
    public RobustPart BlockOf(int number, Token asker, bool isOfBody) => PartOf(number, asker, isOfBody ? _options : _againOptions);

    /// <summary>Called when the client has acknowledged a block.</summary>
    public void OnAcknowledged(long now) => _sender.Missing([], now);

    /// <summary>Processes a request that gets one block: the first one it asks for.</summary>
    public RobustOutcome OnSingleRequest(CoapMessage request, long now)
    {
        var asked = request.Options.GetAll<QBlock2>();
        if (!HasSize(asked)) { return RobustOutcome.Rejected(ResponseCode.BadRequest); }
        _askedBy = request.Token;
        _sender.Missing([asked.Count == 0 ? 0 : asked[0].BlockNumber], now);
        return RobustOutcome.Continue;
    }

    /// <summary>Processes a repeated request for the body, because nothing of the response arrived. The first block is sent to its token.</summary>
    public void Remind(Token token, long now)
    {
        _askedBy = token;
        _sender.Missing([0], now);
    }

    /// <summary>Returns the next response to send now, until there is none.</summary>
    public bool TryNext(long now, out RobustPart part)
    {
        part = default;
        if (!_sender.TryNext(now, out var number, out var wasAskedFor)) { return false; }
        part = PartOf(number, wasAskedFor ? _askedBy : _token, wasAskedFor ? _againOptions : _options);
        return true;
    }

    // The first block may be smaller than requested (RFC 7959, section 2.3). Later numbers count blocks of the size of the body.
    private bool HasSize(IReadOnlyList<QBlock2> asked) => asked is [] or [{ BlockNumber: 0 }] || asked[0].SizeExponent == size.Exponent;

    private RobustPart PartOf(int number, Token asker, in OptionSet options)
    {
        var isLast = number == _sender.Count - 1;
        var offset = (int)size.OffsetOf(number);
        return new RobustPart(
            code, asker, options.With(new QBlock2(number, !isLast, size.Exponent)), isLast ? body[offset..] : body.Slice(offset, size.Bytes));
    }

    private static OptionSet WithSize(in OptionSet options, int length) =>
        options.Without(Size2.Declaration.Number).With(new Size2((uint)length));
}
