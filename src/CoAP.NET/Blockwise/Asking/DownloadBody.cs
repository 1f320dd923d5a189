using System.Buffers;
using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>The body of a response as its blocks make it: collected, or on its way to a stream.</summary>
internal sealed class DownloadBody(BodyTarget? target, int readAhead)
{
    private List<ReadOnlyMemory<byte>> _parts = [];
    private ArrayBufferWriter<byte>? _collected;    // all of them, where there are several
    private long _waiting;      // bytes in the parts
    private long _writing;      // bytes that the caller writes right now

    /// <summary>The bytes that the stream has taken.</summary>
    public long Written { get; private set; }

    /// <summary>Whether the stream has to take some before more is asked for.</summary>
    public bool IsFull => target is not null && _waiting + _writing >= readAhead;

    /// <summary>Whether the stream has taken everything.</summary>
    public bool IsFlushed => target is null || _waiting + _writing == 0;

    public bool IsCollected => target is null;

    public void Append(ReadOnlyMemory<byte> part)
    {
        if (part.IsEmpty) { return; }
        _waiting += part.Length;
        if (!IsCollected || _waiting == part.Length)
        {
            _parts.Add(part);
            return;
        }
        // Many small blocks must not keep the messages that they came in, which may be as large as a datagram can be.
        _collected ??= Begin(_parts[0]);
        _collected.Write(part.Span);
    }

    public void Clear()
    {
        _parts = [];
        _collected = null;
        _waiting = 0;
    }

    /// <summary>What to write now; nothing where something is being written, or nothing is there.</summary>
    public BodyWrite? NextWrite(ICallerTaskOwner transfer)
    {
        if (target is null || _writing > 0 || _waiting == 0) { return null; }
        var write = new BodyWrite(transfer, target.Stream, _parts);
        (_writing, _waiting, _parts) = (_waiting, 0, []);
        return write;
    }

    public void OnWritten()
    {
        Written += _writing;
        _writing = 0;
    }

    /// <summary>The whole body.</summary>
    public ReadOnlyMemory<byte> Collect() => _collected?.WrittenMemory ?? (_parts.Count == 0 ? default : _parts[0]);

    private ArrayBufferWriter<byte> Begin(ReadOnlyMemory<byte> first)
    {
        var collected = new ArrayBufferWriter<byte>(2 * first.Length);
        collected.Write(first.Span);
        _parts = [];
        return collected;
    }
}

/// <summary>Writes a part of a response's body.</summary>
internal sealed class BodyWrite(ICallerTaskOwner transfer, Stream stream, List<ReadOnlyMemory<byte>> parts) : CallerTask(transfer)
{
    public override void Do()
    {
        foreach (var part in parts) { stream.Write(part.Span); }
    }

    public override async ValueTask DoAsync(CancellationToken cancellationToken)
    {
        foreach (var part in parts) { await stream.WriteAsync(part, cancellationToken).ConfigureAwait(false); }
    }
}
