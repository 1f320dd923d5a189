using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The client side of a body in Q-Block2 responses (RFC 9177, section 4.4).</summary>
/// <remarks>
/// It starts with a request for block 0 with the bit M, the first result of <see cref="TryNext"/>. A response without Q-Block2 is the complete
/// response, and so is a block that is first and last. A changed ETag starts a new body; delayed blocks of the old one are dropped. Blocks that
/// were requested after the body began may omit ETag and Size2: libcoap does so if it has dropped the body meanwhile.
/// </remarks>
/// <param name="method">The method.</param>
/// <param name="options">The options of the request without Q-Block2.</param>
/// <param name="payload">The payload of the first request.</param>
/// <param name="size">The block size to request.</param>
/// <param name="maxBody">The largest body in bytes.</param>
/// <param name="probingRate">PROBING_RATE in bytes per second.</param>
/// <param name="tokens">The tokens.</param>
/// <param name="settings">The times.</param>
/// <param name="now">The time.</param>
internal sealed class RobustDownloadClient(
    CoapCode method, OptionSet options, ReadOnlyMemory<byte> payload, BlockSize size, long maxBody, double probingRate, TokenSeries tokens,
    RobustTransferSettings settings, long now)
{
    // Limits a resource that changes faster than it can be read.
    private const int MaxChanges = 4;

    // Requests for missing blocks have neither ETag nor Observe (RFC 9177, sections 4.4 and 4.5).
    private readonly OptionSet _laterOptions = options.Without(ETag.Declaration.Number).Without(Observe.Declaration.Number)
        .Without(QBlock1.Declaration.Number).Without(Size1.Declaration.Number);

    private readonly List<byte[]> _oldTags = [];
    private RobustReceiver _receiver = new(settings, maxBody, probingRate, now);
    private byte[]? _tag;
    private uint _tokensBefore;         // the tokens that were created before the body began
    private bool _isBegun;
    private bool _isOver;
    private bool _asksNow;

    public BlockSize Size { get; private set; } = size;

    /// <summary>The time of the next poll; in the past before the first request.</summary>
    public long Deadline => _isOver ? long.MaxValue : _isBegun ? _receiver.Deadline : long.MinValue;

    /// <summary>Whether too many requests for missing blocks were not answered.</summary>
    public bool HasTimedOut { get; private set; }

    /// <summary>The first response with a part of the body, for its code and options.</summary>
    public CoapMessage? First { get; private set; }

    /// <summary>The complete body.</summary>
    public ReadOnlyMemory<byte> Body { get; private set; }

    /// <summary>The largest number of bytes that can have arrived.</summary>
    public long Received => Math.Min((long)_receiver.Present * _receiver.Size.Bytes, _receiver.Total);

    /// <summary>The memory of the body in bytes.</summary>
    public long Held => _receiver.Held;

    /// <summary>The length of the body, if it is known.</summary>
    public long? Total => _receiver.Count > 0 ? _receiver.Total : null;

    /// <summary>Starts without the first request, for example because a notification has started the body.</summary>
    public void Begin() => _isBegun = true;

    /// <summary>Requests the missing blocks without waiting, because the response was to a request for one block.</summary>
    public void AskNow() => _asksNow = true;

    /// <summary>Returns the next request to send now, until there is none.</summary>
    public bool TryNext(long now, out RobustPart part)
    {
        var next = _isOver ? null : _isBegun ? Asked(_receiver.Poll(now)) : Everything();
        _isBegun = true;
        part = next.GetValueOrDefault();
        return next is not null;
    }

    /// <summary>Processes a response with one of the tokens.</summary>
    public RobustOutcome OnResponse(CoapMessage response, long now)
    {
        // A response about the request body may arrive after the response to the request.
        if (_isOver || response.Code == ResponseCode.Continue || RobustRules.IsMissingReport(response)) { return RobustOutcome.Continue; }
        if (RobustRules.IsMixed(response.Options)) { return Ended(RobustOutcome.Rejected(ResponseCode.BadOption)); }
        // A 4.02 may repeat the option that the peer does not know.
        if (response.Code == ResponseCode.BadOption || response.Options.Get<QBlock2>() is not { } block || IsWhole(response, block))
        {
            (First, Body) = (response, response.Payload);
            return Ended(response.Code.IsSuccess ? RobustOutcome.Complete : RobustOutcome.Rejected(response.Code));
        }
        var isOfToken = _tag is not null && tokens.ContainsAfter(_tokensBefore, response.Token);
        var (tag, total) = (response.Options.Get<ETag>()?.Value, response.Options.Get<Size2>()?.Value);
        if (isOfToken) { (tag, total) = (tag ?? _tag, total ?? (uint)_receiver.Total); }
        // Without these options, blocks of different bodies could not be distinguished (RFC 9177, sections 4.4 and 4.6).
        return tag is { } known && total is { } length ? OnBlock(response, block, known, length, now) : Ended(RobustOutcome.Rejected(ResponseCode.BadOption));
    }

    private RobustOutcome OnBlock(CoapMessage response, QBlock2 block, ReadOnlyMemory<byte> tag, uint total, long now)
    {
        if (IsOld(tag)) { return RobustOutcome.Continue; }
        if (_tag is null || !tag.Span.SequenceEqual(_tag))
        {
            if (_oldTags.Count == MaxChanges) { return Ended(RobustOutcome.Rejected(ResponseCode.Conflict)); }
            StartAnew(response, tag.ToArray(), block, now);
        }
        var outcome = _receiver.Accept(block, total, response.Payload.Span, now);
        if (outcome.IsContinue)
        {
            if (_asksNow) { _receiver.AskNow(now); }
            _asksNow = false;
            return outcome;
        }
        if (outcome.IsComplete) { Body = _receiver.Take(); }
        return Ended(outcome);
    }

    private RobustPart? Asked(in RobustAsk ask)
    {
        _isOver = HasTimedOut = ask.Kind == RobustAskKind.GiveUp;
        return ask.Kind switch
        {
            RobustAskKind.Continue => Later(new QBlock2(ask.Next, hasMore: true, Size.Exponent)),
            RobustAskKind.Missing => Later(RobustRules.Condense(ask.Numbers, settings.MaxPayloads, _receiver.Count, Size)),
            RobustAskKind.Everything when method.IsSafe => Everything(),
            _ => null,
        };
    }

    private void StartAnew(CoapMessage response, byte[] tag, QBlock2 block, long now)
    {
        if (_tag is not null)
        {
            _oldTags.Add(_tag);
            _receiver = new RobustReceiver(settings, maxBody, probingRate, now);
        }
        (_tag, _tokensBefore, First, Size) = (tag, tokens.Used, response, BlockSize.Of(block));
    }

    // A block without ETag that is first and last. With an ETag, it goes through the checks of all blocks.
    private static bool IsWhole(CoapMessage response, QBlock2 block) =>
        block is { BlockNumber: 0, HasMore: false } && !response.Options.Contains<ETag>()
        && (response.Options.Get<Size2>() is not { } total || total.Value == response.Payload.Length);

    private bool IsOld(ReadOnlyMemory<byte> tag) => _oldTags.Exists(old => tag.Span.SequenceEqual(old));

    private RobustPart Everything() =>
        new(method, tokens.Next(), options.With(new QBlock2(0, hasMore: true, Size.Exponent)), payload);

    private RobustPart Later(params CoapOption[] asked) => new(method, tokens.Next(), _laterOptions.With(asked), default);

    private RobustOutcome Ended(RobustOutcome outcome)
    {
        _isOver = true;
        return outcome;
    }
}
