using System.Runtime.CompilerServices;

namespace CoAP.Serialization;

// Rules (RFC 8323, section 3.2):
// - A message that has arrived whole is handed on where it lies, without a copy.
// - The length in a header is only the peer's word. The memory for a message that is not whole follows the bytes that have arrived, so a
//   header that announces a megabyte costs next to nothing. A message of at least 32 MiB gets its array when a 128th of it is there: up to
//   then it costs twice that part, which is how a message of 1 GiB costs 1.02 GiB to read.
// - A message that was torn ends in an array of exactly its size, which is the message's own.

/// <summary>Cuts bytes into messages, however they arrive: under connections and under the serializer's streams and pipes alike.</summary>
/// <remarks>
/// Bytes at hand go to <see cref="Take"/>. A source that must not be read further than the message is read into <see cref="GetRoom"/>, and
/// <see cref="Advance"/> counts what was read. Not safe for concurrent use; a field that holds it must not be readonly.
/// </remarks>
/// <param name="form">Measures the messages.</param>
/// <param name="consumer">Receives the messages; without one the framer is done after one message.</param>
internal struct MessageFramer(CoapMessageSerializer form, IFrameConsumer? consumer = null)
{
    // Smaller arrays are not worth counting.
    private const int LeastCounted = 4096;

    private PartialMessage _partial;
    private long _goal;         // the length at which the stage ends; while skipping, the bytes that are left
    private Stage _stage;
    private CoapCode _code;

    private enum Stage : byte { Between, Header, Body, Token, Skipping, UntilEnd, Done }

    /// <summary>Whether some of a message has arrived and some has not.</summary>
    public readonly bool IsInside => _partial.Length > 0 || _stage == Stage.Skipping;

    /// <summary>Without a consumer: whether no more bytes are wanted.</summary>
    public readonly bool IsDone => _stage == Stage.Done;

    /// <summary>Without a consumer: what is wrong with the bytes.</summary>
    public FormatError Error { get; private set; }

    /// <summary>The bytes of the message that have arrived.</summary>
    public readonly long Length => _partial.Length;

    private readonly bool TakesMore => consumer?.TakesMore ?? !IsDone;

    private readonly long MaxSize => Math.Min(form.MaxSize, Array.MaxLength);

    /// <summary>Cuts as much as the consumer takes and returns the number of bytes that are done with.</summary>
    public int Take(ReadOnlyMemory<byte> bytes)
    {
        var taken = 0;
        while (taken < bytes.Length && TakesMore)
        {
            var rest = bytes[taken..];
            taken += _stage == Stage.Between ? Begin(rest) : Continue(rest.Span);
        }
        return taken;
    }

    /// <summary>Returns room for the next bytes. It never reaches behind the message, and is empty if no bytes are wanted.</summary>
    /// <param name="known">The number of bytes that the source is known to have left, or a negative number.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]      // otherwise reading a stream becomes larger than the compiler's budget for inlining
    public Memory<byte> GetRoom(long known)
    {
        if (_stage == Stage.Between && TryEnter(form.Measure([]), measured: 0)) { PassStages(); }
        return !IsDone && TryReserve(known) ? _partial.GetFree(_goal) : default;
    }

    /// <summary>Counts bytes that were read into the room of <see cref="GetRoom"/>; none means that the source has ended.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Advance(int count)
    {
        _partial.Advance(count);
        if (_partial.Length == _goal) { PassStages(); }
        else if (count == 0) { End(); }
        else if (_partial.Length > MaxSize) { Fail(FormatError.MessageTooLarge); }
    }

    /// <summary>Ends the message with the source: a form that does not tell its length is complete, any other is truncated.</summary>
    public void End()
    {
        if (_stage != Stage.UntilEnd && IsInside) { Fail(FormatError.Truncated); }
        else { Finish(); }
    }

    /// <summary>Without a consumer: returns the bytes of the message.</summary>
    public readonly byte[] ToArray() => _partial.ToArray();

    /// <summary>Drops the message that is not whole.</summary>
    public void Forget()
    {
        _partial = default;
        _stage = Stage.Between;
    }

    private int Begin(ReadOnlyMemory<byte> bytes)
    {
        if (!TryEnter(form.Measure(bytes.Span), bytes.Length)) { return bytes.Length; }
        if (consumer is null || _stage != Stage.Body || _goal > bytes.Length) { return Continue(bytes.Span); }
        _stage = Stage.Between;
        var length = (int)_goal;
        consumer.OnFrame(_code, bytes[..length], isOwned: false);
        return length;
    }

    private int Continue(ReadOnlySpan<byte> bytes)
    {
        if (_stage == Stage.Skipping) { return Skip(bytes.Length); }
        var count = (int)Math.Min(bytes.Length, _goal - _partial.Length);
        if (!TryReserve(count)) { return 0; }
        // Chunks of a message without a length may be shorter than what is there.
        var free = _partial.GetFree(_goal).Span;
        count = Math.Min(count, free.Length);
        bytes[..count].CopyTo(free);
        Advance(count);
        return count;
    }

    /// <summary>Enters the stage that the first bytes call for; <see langword="false"/> if they are not the start of a message.</summary>
    private bool TryEnter(in MessageExtent extent, int measured)
    {
        switch (extent.Kind)
        {
            case MessageExtentKind.UntilEnd:
                return Enter(Stage.UntilEnd, long.MaxValue);
            case MessageExtentKind.AtLeast when extent.Length > measured:
                return Enter(Stage.Header, extent.Length);
            case MessageExtentKind.Exactly when extent.Length >= _partial.Length:
                if (extent.Length > MaxSize) { return Fail(FormatError.MessageTooLarge); }
                return consumer is null ? Enter(Stage.Body, extent.Length) : TryAccept(extent.Header);
            case MessageExtentKind.Malformed:
                return Fail(extent.Error);
            default:
                throw NonsenseOf(extent.Length, measured);
        }
    }

    private bool TryAccept(in StreamHeader header)
    {
        var verdict = consumer!.Judge(header);
        _code = header.Code;
        if (verdict.Fate == FrameFate.Abort) { return Fail(FormatError.None, verdict.Diagnostic); }
        return verdict.Fate == FrameFate.Accept ? Enter(Stage.Body, header.TotalLength) : Enter(Stage.Token, header.TokenStart + header.TokenLength);
    }

    private readonly InvalidOperationException NonsenseOf(long length, int measured) =>
        new($"{form.GetType().Name} measures {length} bytes when {measured} are there.");

    private bool Enter(Stage stage, long goal)
    {
        (_stage, _goal) = (stage, goal);
        return true;
    }

    private bool Fail(FormatError error, string? diagnostic = null)
    {
        if (consumer is null)
        {
            (Error, _stage) = (error, Stage.Done);
            return false;
        }
        Forget();
        consumer.OnUnreadable(error, diagnostic);
        return false;
    }

    private void PassStages()
    {
        while (_partial.Length == _goal && _stage is Stage.Header or Stage.Body or Stage.Token)
        {
            if (_stage == Stage.Body) { Finish(); }
            else if (_stage == Stage.Token) { FinishToken(); }
            else { TryEnter(form.Measure(_partial.Start), (int)_partial.Length); }
        }
    }

    private void Finish()
    {
        if (consumer is null)
        {
            _stage = Stage.Done;
            return;
        }
        var bytes = _partial.ToArray();
        Forget();
        consumer.OnFrame(_code, bytes, isOwned: true);
    }

    private void FinishToken()
    {
        StreamHeader.Read(_partial.Start, out var header);
        var token = new Token(_partial.Start.Slice(header.TokenStart, header.TokenLength));
        Forget();
        Enter(Stage.Skipping, header.TailLength);
        consumer!.OnTooLarge(_code, token);
        if (_goal == 0) { Skip(0); }
    }

    private int Skip(int available)
    {
        var count = (int)Math.Min(available, _goal);
        _goal -= count;
        if (_goal == 0)
        {
            Forget();
            consumer!.OnSkipped(_code);
        }
        return count;
    }

    /// <summary>Makes room for the bytes that are known to be there; <see langword="false"/> if there is none yet.</summary>
    private bool TryReserve(long known)
    {
        if (_stage == Stage.UntilEnd) { return TryReserveUntilEnd(known); }
        var size = _partial.SizeFor(known, _goal);
        if (size == 0) { return true; }
        if (consumer is not null) { return TryGrow(size); }
        _partial.Grow(size);
        return true;
    }

    private bool TryGrow(long size)
    {
        if (size >= LeastCounted && !consumer!.MayKeep((int)size, isWhole: size == _goal))
        {
            if (_partial.Length == 0) { Forget(); }
            return false;
        }
        try
        {
            _partial.Grow(size);
            return true;
        }
        catch (OutOfMemoryException)
        {
            Fail(FormatError.None, $"There is no memory for a message of {_goal} bytes.");
            return false;
        }
    }

    private bool TryReserveUntilEnd(long known)
    {
        if (_partial.Length + known > MaxSize) { return Fail(FormatError.MessageTooLarge); }
        _partial.ExtendBy(known);
        return true;
    }
}
