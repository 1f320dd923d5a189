using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The client side of a body in Q-Block1 requests (RFC 9177, section 4.3).</summary>
/// <remarks>Every response except 2.31 and a 4.08 with a list of missing blocks ends the transfer.</remarks>
/// <param name="method">The method.</param>
/// <param name="options">The options of the request, which each block repeats.</param>
/// <param name="requestTag">A tag that is different for each body to this peer (RFC 9177, section 4.3).</param>
/// <param name="body">The body.</param>
/// <param name="size">The block size.</param>
/// <param name="tokens">The tokens.</param>
/// <param name="settings">The times.</param>
/// <param name="now">The time.</param>
/// <param name="chance">A random number from 0 to 1 for NON_TIMEOUT_RANDOM.</param>
internal sealed class RobustUploadClient(
    CoapCode method, OptionSet options, ReadOnlyMemory<byte> requestTag, ReadOnlyMemory<byte> body, BlockSize size, TokenSeries tokens,
    RobustTransferSettings settings, long now, double chance)
{
    private readonly BlockPacing _sender = new(size.CountOf(body.Length), settings, now, chance);
    private readonly OptionSet _options = options.Without(RequestTag.Declaration.Number).Without(Size1.Declaration.Number)
        .With(new RequestTag(requestTag), new Size1((uint)body.Length));

    private long _quietSince;
    private int _reminders;
    private bool _isOver;

    /// <summary>The time of the next poll; in the past while there is something to send.</summary>
    public long Deadline => _isOver ? long.MaxValue : Math.Min(_sender.Deadline, ReminderAt);

    /// <summary>Whether the server was silent for so long that the body was given up.</summary>
    public bool HasTimedOut => !_isOver && _sender.IsOver;

    /// <summary>Whether each block was sent at least once, so that the server may have handled the body.</summary>
    public bool HasSentAll => _sender.HasSentAll;

    /// <summary>The number of blocks that were sent.</summary>
    public int BlocksSent { get; private set; }

    // The receiver requests missing blocks after NON_RECEIVE_TIMEOUT. The reminder helps if its response to the whole body was lost.
    // A peer that has forgotten the body would collect and handle it a second time, so only idempotent requests are repeated.
    private long ReminderAt => method.IsIdempotent && _sender.HasSentAll && _reminders < settings.NonMaxRetransmit
        ? _quietSince + (settings.NonReceiveTimeout.Ticks << (_reminders + 1))
        : long.MaxValue;

    /// <summary>Returns the next message to send now, until there is none.</summary>
    public bool TryNext(long now, out RobustPart part)
    {
        part = default;
        if (_isOver) { return false; }
        if (now >= ReminderAt)
        {
            _reminders++;
            _quietSince = now;
            _sender.RepeatLast(now);
        }
        if (!_sender.TryNext(now, out var number, out var wasAskedFor)) { return false; }
        if (!wasAskedFor) { BlocksSent = Math.Max(BlocksSent, number + 1); }
        if (number == _sender.Count - 1 && _reminders == 0) { _quietSince = now; }
        var offset = (int)size.OffsetOf(number);
        var isLast = number == _sender.Count - 1;
        part = new RobustPart(
            method, tokens.Next(), _options.With(new QBlock1(number, !isLast, size.Exponent)),
            isLast ? body[offset..] : body.Slice(offset, size.Bytes));
        return true;
    }

    /// <summary>Processes a response with one of the tokens.</summary>
    public RobustOutcome OnResponse(CoapMessage response, long now)
    {
        if (_isOver) { return RobustOutcome.Continue; }
        (_quietSince, _reminders) = (now, 0);
        if (response.Code == ResponseCode.Continue)
        {
            // Without the option, it refers to the set that was sent last.
            _sender.Continue(response.Options.Get<QBlock1>() is { } block ? block.BlockNumber + 1 : BlocksSent, now);
            return RobustOutcome.Continue;
        }
        if (RobustRules.IsMissingReport(response))
        {
            Span<int> numbers = stackalloc int[Math.Min(settings.MaxPayloads, 256)];
            // A malformed list is ignored (RFC 9177, section 5).
            if (MissingBlocks.TryRead(response.Payload.Span, numbers, out var count)) { _sender.Missing(numbers[..count], now); }
            return RobustOutcome.Continue;
        }
        _isOver = true;
        return response.Code.IsSuccess ? RobustOutcome.Complete : RobustOutcome.Rejected(response.Code);
    }
}
