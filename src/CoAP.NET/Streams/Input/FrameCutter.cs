using CoAP.Serialization;
using CoAP.Signaling;

namespace CoAP.Streams;

/// <summary>Cuts the bytes of a connection into messages, however they arrive (RFC 8323, section 3.2).</summary>
/// <remarks>
/// A message that is there whole is handed on where it lies. Of one that is not, the bytes are kept in an array that grows with what has
/// really arrived and ends with exactly the size of the message. Of a large one a 128th has to be there before the array of its size is made, whose
/// memory the system gives as it is filled: so the whole costs 1.05 times its size at most, and announcing it next to nothing.
/// </remarks>
internal sealed class FrameCutter(IFrameConsumer consumer)
{
    private const int LeastRoom = 256;

    // Smaller ones are not worth to be counted, nor to be made in one step.
    private const int LeastCounted = 4096;
    private const int LeastInSteps = 64 << 10;
    private const int Steps = 128;

    private byte[]? _partial;
    private int _have;
    private int _needed;        // 0 while the header is not complete
    private long _skip;         // the bytes of a message that go to nobody
    private long _behind;       // those that will be skipped once the token is there
    private CoapCode _code;

    /// <summary>Whether the connection stands inside a message.</summary>
    public bool IsInside => _have > 0 || _skip > 0;

    /// <summary>Cuts as much as the consumer takes, and answers how many bytes are done with.</summary>
    public int Cut(ReadOnlyMemory<byte> bytes)
    {
        var at = 0;
        while (at < bytes.Length && consumer.TakesMore)
        {
            var rest = bytes[at..];
            at += _skip > 0 ? Skip(rest.Length) : _have > 0 ? Continue(rest.Span) : Begin(rest);
        }
        return at;
    }

    private int Begin(ReadOnlyMemory<byte> bytes)
    {
        var error = StreamHeader.Read(bytes.Span, out var header);
        if (error == FormatError.Truncated) { return Keep(bytes.Span, StreamHeader.MaxLength); }
        if (!TryJudge(error, header, out var fate)) { return bytes.Length; }
        if (fate != FrameFate.Accept || header.TotalLength > bytes.Length) { return Keep(bytes.Span, StartOf(header, fate)); }
        var length = (int)header.TotalLength;
        consumer.OnFrame(header.Code, bytes[..length], isOwned: false);
        return length;
    }

    private int Continue(ReadOnlySpan<byte> bytes) => _needed == 0 ? ContinueHeader(bytes[0]) : Fill(bytes);

    // Byte by byte: at most seven of them, and only where a header is torn.
    private int ContinueHeader(byte next)
    {
        _partial![_have++] = next;
        var error = StreamHeader.Read(_partial.AsSpan(0, _have), out var header);
        if (error == FormatError.Truncated) { return 1; }
        if (!TryJudge(error, header, out var fate)) { return 1; }
        _needed = StartOf(header, fate);
        if (_have == _needed) { Finish(); }
        return 1;
    }

    private bool TryJudge(FormatError error, in StreamHeader header, out FrameFate fate)
    {
        fate = FrameFate.Abort;
        if (error == FormatError.None)
        {
            var verdict = consumer.Judge(new FrameStart(header.Code, header.TotalLength, header.TokenLength, header.ExtendedLengthSize));
            fate = verdict.Fate;
            if (fate != FrameFate.Abort) { return true; }
            consumer.OnUnreadable(FormatError.None, verdict.Diagnostic);
        }
        else { consumer.OnUnreadable(error, null); }
        Forget();
        return false;
    }

    // What has to be there before anything can be done: the whole message, or of one that is skipped the token.
    private int StartOf(in StreamHeader header, FrameFate fate)
    {
        _code = header.Code;
        var start = header.TokenStart + header.TokenLength;
        _behind = fate == FrameFate.Accept ? 0 : header.TotalLength - start;
        return _needed = fate == FrameFate.Accept ? (int)header.TotalLength : start;
    }

    private int Keep(ReadOnlySpan<byte> bytes, int room)
    {
        var count = Math.Min(bytes.Length, room);
        if (!TryGrow(Math.Min(room, Math.Max(count, LeastRoom)), room))
        {
            _needed = 0;
            return 0;
        }
        bytes[..count].CopyTo(_partial);
        _have = count;
        if (_have == _needed) { Finish(); }
        return count;
    }

    private int Fill(ReadOnlySpan<byte> bytes)
    {
        var count = Math.Min(bytes.Length, _needed - _have);
        var room = _partial!.Length;
        if (room != _needed && (_have + count > room || room > _needed))
        {
            if (!TryGrow((int)Math.Min(_needed, Math.Max(2L * room, _have + count)), _needed)) { return 0; }
        }
        bytes[..count].CopyTo(_partial.AsSpan(_have));
        _have += count;
        if (_have == _needed) { Finish(); }
        return count;
    }

    /// <summary>Makes room for the least that is needed now, or for the whole; <see langword="false"/> where there is none yet.</summary>
    private bool TryGrow(int least, int whole)
    {
        var size = whole > LeastInSteps && least > whole / Steps ? whole : least;
        if (size >= LeastCounted && !consumer.MayKeep(size, isWhole: size == whole)) { return false; }
        try
        {
            var grown = GC.AllocateUninitializedArray<byte>(size);
            _partial.AsSpan(0, _have).CopyTo(grown);
            _partial = grown;
            return true;
        }
        catch (OutOfMemoryException)
        {
            // One connection asks for more than there is: it ends, the others go on.
            consumer.OnUnreadable(FormatError.None, $"There is no memory for a message of {whole} bytes.");
            return false;
        }
    }

    private void Finish()
    {
        var bytes = _partial!.AsMemory(0, _have);
        var (code, behind) = (_code, _behind);
        Forget();
        if (behind == 0)
        {
            consumer.OnFrame(code, bytes, isOwned: true);
            return;
        }
        _code = code;
        _skip = behind;
        StreamHeader.Read(bytes.Span, out var header);
        consumer.OnTooLarge(code, new Token(bytes.Span[header.TokenStart..]));
    }

    private int Skip(int available)
    {
        var count = (int)Math.Min(available, _skip);
        _skip -= count;
        if (_skip == 0) { consumer.OnSkipped(_code); }
        return count;
    }

    /// <summary>The message that is not whole will never be.</summary>
    public void Forget()
    {
        _partial = null;
        _have = _needed = 0;
        _behind = 0;
    }
}
