namespace CoAP.Serialization;

/// <summary>Puts one message together from bytes as they come, in one exact array; knows nothing of where they come from.</summary>
/// <remarks>
/// Rules: <see cref="Free"/> is never longer than what is certain to belong to the message. A length is only the peer's word, so memory is set
/// aside for what has come and not for what was announced: past <see cref="Trusted"/> bytes the exact array is made when a part of it has come.
/// </remarks>
internal sealed class MessageAssembler
{
    /// <summary>An announced length up to here is believed.</summary>
    public const int Trusted = 1 << 20;

    private const int FirstChunk = 4096;
    private const int LargestChunk = 1 << 24;
    private const int Start = 16;

    // The part is in memory twice for a while: it is what a large message costs beyond itself, and what a peer has to send for so many times as much.
    private const int PartsOfWhole = 32;

    private readonly CoapMessageSerializer _serializer;
    private readonly long? _remaining;
    private readonly long _limit;
    private List<byte[]>? _full;
    private byte[] _chunk = [];
    private int _filled;
    private long _total;
    private long _goal;
    private MessageExtentKind _extent;

    /// <param name="serializer">The form.</param>
    /// <param name="remaining">The bytes that the source is known to have.</param>
    public MessageAssembler(CoapMessageSerializer serializer, long? remaining)
    {
        _serializer = serializer;
        _remaining = remaining;
        _limit = Math.Min(serializer.MaxSize, Array.MaxLength);
        Go(serializer.Measure([]));
    }

    /// <summary>Whether no more bytes are wanted.</summary>
    public bool IsDone { get; private set; }

    /// <summary>What is wrong with the bytes so far.</summary>
    public FormatError Error { get; private set; }

    /// <summary>Where the next bytes go; never empty before the end.</summary>
    public Memory<byte> Free => _chunk.AsMemory(_filled, (int)Math.Min(_chunk.Length - _filled, _goal - _total));

    /// <summary>Takes the bytes that were put into <see cref="Free"/>; none means that the source has ended.</summary>
    public void Advance(int length)
    {
        if (length < 0 || length > Free.Length) { throw new IOException($"A read of up to {Free.Length} bytes answered {length}."); }
        _filled += length;
        _total += length;
        if (length == 0) { End(); }
        else if (_total > _limit) { Fail(FormatError.MessageTooLarge); }
        else if (_extent == MessageExtentKind.AtLeast && _total < _goal) { return; }
        else if (_extent == MessageExtentKind.AtLeast) { Go(_serializer.Measure(_chunk.AsSpan(0, _filled))); }
        else if (_total == _goal) { IsDone = true; }
        else if (_filled == _chunk.Length) { Grow(); }
    }

    /// <summary>The message, or <see langword="null"/> where the source was at its end.</summary>
    /// <exception cref="CoapFormatException">The bytes are no message.</exception>
    public CoapMessage? ToMessage()
    {
        if (Error != FormatError.None) { throw new CoapFormatException(Error, _total); }
        return _total == 0 ? null : _serializer.Deserialize((ReadOnlyMemory<byte>)Exact((int)_total));
    }

    private void Go(MessageExtent extent)
    {
        _extent = extent.Kind;
        _goal = extent.Kind == MessageExtentKind.UntilEnd ? long.MaxValue : extent.Length;
        if (extent.Kind is MessageExtentKind.AtLeast or MessageExtentKind.Exactly && extent.Length < _total)
        {
            throw new InvalidOperationException($"{_serializer.GetType().Name} measures {extent.Length} bytes after {_total} were there.");
        }
        switch (extent.Kind)
        {
            case MessageExtentKind.UntilEnd when _remaining > _limit:
            case MessageExtentKind.Exactly when extent.Length > _limit:
                Fail(FormatError.MessageTooLarge);
                break;
            case MessageExtentKind.UntilEnd:
                Move(_remaining > 0 ? (int)_remaining : FirstChunk);
                break;
            case MessageExtentKind.AtLeast:
                if (_chunk.Length < extent.Length) { Move(Math.Max(Start, (int)extent.Length)); }
                break;
            case MessageExtentKind.Exactly when extent.Length == _total:
                IsDone = true;
                break;
            case MessageExtentKind.Exactly:
                Move(extent.Length <= Trusted || extent.Length <= _remaining ? (int)extent.Length : Trusted);
                break;
            default:
                Fail(extent.Error);
                break;
        }
    }

    private void End()
    {
        IsDone = true;
        if (_total > 0 && _extent != MessageExtentKind.UntilEnd) { Error = FormatError.Truncated; }
    }

    private void Fail(FormatError error)
    {
        Error = error;
        IsDone = true;
    }

    // The chunk in use is full and more is to come.
    private void Grow()
    {
        (_full ??= []).Add(_chunk);
        if (_extent == MessageExtentKind.Exactly && _total >= _goal / PartsOfWhole)
        {
            _chunk = Exact((int)_goal);
            _filled = (int)_total;
            return;
        }
        // A source that said how much it has is most likely at its end: one more read tells.
        var length = _total == _remaining ? Start : Math.Clamp(_total, FirstChunk, LargestChunk);
        _chunk = GC.AllocateUninitializedArray<byte>((int)Math.Min(length, _goal - _total));
        _filled = 0;
    }

    private void Move(int length)
    {
        var chunk = GC.AllocateUninitializedArray<byte>(length);
        _chunk.AsSpan(0, _filled).CopyTo(chunk);
        _chunk = chunk;
    }

    // All bytes so far at the start of one array of this length; full chunks are let go one by one.
    private byte[] Exact(int length)
    {
        if (_full is null && _chunk.Length == length) { return _chunk; }
        if (_full is [var only] && only.Length == length && _total == length) { return only; }
        if (_full is null || !ReferenceEquals(_full[^1], _chunk)) { (_full ??= []).Add(_chunk); }
        var exact = GC.AllocateUninitializedArray<byte>(length);
        var position = 0;
        for (var i = 0; i < _full.Count; i++)
        {
            var bytes = _full[i].AsSpan(0, (int)Math.Min(_full[i].Length, _total - position));
            bytes.CopyTo(exact.AsSpan(position));
            position += bytes.Length;
            _full[i] = [];
        }
        _full = null;
        return exact;
    }
}
