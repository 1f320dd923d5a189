using System.Runtime.CompilerServices;

namespace CoAP.Serialization;

// Rules (RFC 8323, section 3.2):
// - A complete message is passed on where it is, without a copy.
// - The length in a header is unverified. The memory for an incomplete message follows the bytes that have arrived, so a header that
//   announces a megabyte costs next to nothing. A message of at least 32 MiB gets its array when 1/128 of it has arrived; until then it
//   costs twice that part. A message of 1 GiB therefore costs 1.02 GiB to read. Without a consumer, a message of at most 256 KiB gets
//   its array when 2 KiB have arrived: its memory is not shared by many peers.
// - An incomplete message ends in an array of exactly its size, which then belongs to the message.

/// <summary>Cuts bytes into messages, for connections and for the streams and pipes of a serializer.</summary>
/// <remarks>
/// Available bytes are passed to <see cref="Take"/>. A source that must not be read beyond the message is read into <see cref="Room"/> while
/// <see cref="TryMakeRoom"/> returns <see langword="true"/>, and <see cref="Advance"/> counts the bytes. Not safe for concurrent use. A field of this
/// type must not be readonly.
/// </remarks>
/// <param name="format">Measures the messages.</param>
/// <param name="consumer">Receives the messages. Without a consumer the framer stops after one message.</param>
internal struct MessageFramer(CoapMessageSerializer format, IFrameConsumer? consumer = null)
{
    // Smaller arrays are not counted.
    private const int LeastCounted = 4096;

    private PartialMessage _partial;
    private long _goal;         // the length at which the stage ends; while skipping, the number of bytes that are left
    private Stage _stage;
    private CoapCode _code;

    private enum Stage : byte { Between, Header, Body, Token, Skipping, UntilEnd, Done }

    /// <summary>Whether a part of a message has arrived and the rest has not.</summary>
    public readonly bool IsInside => _partial.Length > 0 || _stage == Stage.Skipping;

    /// <summary>Whether the message is complete or malformed. Only without a consumer.</summary>
    public readonly bool IsDone => _stage == Stage.Done;

    /// <summary>The rule that the bytes break. Only without a consumer.</summary>
    public FormatError Error { get; private set; }

    /// <summary>The number of bytes of the current message that have arrived.</summary>
    public readonly long Length => _partial.Length;

    /// <summary>The room for the next bytes. It never extends beyond the message.</summary>
    public readonly ArraySegment<byte> Room => _partial.GetFree(_goal);

    private readonly bool TakesMore => consumer?.TakesMore ?? !IsDone;

    private readonly long MaxSize => Math.Min(format.MaxSize, Array.MaxLength);

    /// <summary>Cuts messages while the consumer takes them, and returns the number of bytes that were used.</summary>
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

    /// <summary>Starts without a consumer. In an async method, the constructor would cost a copy of the framer with write barriers.</summary>
    public void Start(CoapMessageSerializer serializer) => format = serializer;

    /// <summary>Makes room for the next bytes. Returns <see langword="false"/> if no bytes are needed.</summary>
    /// <param name="known">The number of bytes that the source is known to have left, or a negative number.</param>
    // Inlined, it would exceed the inlining budget of the caller.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public bool TryMakeRoom(long known)
    {
        if (_stage == Stage.Between && TryEnter([])) { PassStages(); }
        return !IsDone && TryReserve(known);
    }

    /// <summary>Counts bytes that were read into the <see cref="Room"/>; 0 means that the source has ended.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Advance(int count)
    {
        _partial.Advance(count, _goal);
        if (_partial.Length == _goal) { PassStages(); }
        else if (count == 0) { End(); }
        else if (_partial.Length > MaxSize) { Fail(FormatError.MessageTooLarge); }
    }

    /// <summary>Ends the message because the source has ended. A message of unknown length is then complete, any other is truncated.</summary>
    public void End()
    {
        if (_stage != Stage.UntilEnd && IsInside) { Fail(FormatError.Truncated); }
        else { Finish(); }
    }

    /// <summary>Returns the bytes of the message. Only without a consumer.</summary>
    public readonly byte[] ToArray() => _partial.ToArray();

    /// <summary>Discards an incomplete message.</summary>
    public void Forget()
    {
        _partial = default;
        _stage = Stage.Between;
    }

    private int Begin(ReadOnlyMemory<byte> bytes)
    {
        if (!TryEnter(bytes.Span)) { return bytes.Length; }
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
        // A chunk of a message of unknown length may be shorter than the available bytes.
        var free = _partial.GetFree(_goal).AsSpan();
        count = Math.Min(count, free.Length);
        bytes[..count].CopyTo(free);
        Advance(count);
        return count;
    }

    /// <summary>Enters the stage that follows from the first bytes. Returns <see langword="false"/> if they are malformed.</summary>
    private bool TryEnter(ReadOnlySpan<byte> start)
    {
        var extent = format.Measure(start);
        switch (extent.Kind)
        {
            case MessageExtentKind.UntilEnd:
                return Enter(Stage.UntilEnd, long.MaxValue);
            case MessageExtentKind.AtLeast when extent.Length > start.Length:
                return Enter(Stage.Header, extent.Length);
            case MessageExtentKind.Exactly when extent.Length >= _partial.Length:
                if (extent.Length > MaxSize) { return Fail(FormatError.MessageTooLarge); }
                return consumer is null ? Enter(Stage.Body, extent.Length) : TryAccept(start);
            case MessageExtentKind.Malformed:
                return Fail(extent.Error);
            default:
                throw MeasurementError(extent.Length, start.Length);
        }
    }

    private bool TryAccept(ReadOnlySpan<byte> start)
    {
        StreamHeader.Read(start, out var header);
        var verdict = consumer!.Judge(header);
        _code = header.Code;
        if (verdict.Action == FrameAction.Abort) { return Fail(FormatError.None, verdict.Diagnostic); }
        return verdict.Action == FrameAction.Accept ? Enter(Stage.Body, header.TotalLength) : Enter(Stage.Token, header.TokenStart + header.TokenLength);
    }

    private readonly InvalidOperationException MeasurementError(long length, int measured) =>
        new($"{format.GetType().Name} measures {length} bytes although {measured} bytes are available.");

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
            else { TryEnter(_partial.Start); }
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

    /// <summary>Makes room for the bytes that are known to be available. Returns <see langword="false"/> if there is no room yet.</summary>
    private bool TryReserve(long known)
    {
        if (_stage == Stage.UntilEnd) { return TryReserveUntilEnd(known); }
        var size = _partial.SizeFor(known, _goal, isShared: consumer is not null);
        if (size == 0) { return true; }
        if (consumer is not null) { return TryGrow(size); }
        _partial.Grow(size);
        return true;
    }

    private bool TryGrow(long size)
    {
        if (size >= LeastCounted && !consumer!.MayKeep(_goal))
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
