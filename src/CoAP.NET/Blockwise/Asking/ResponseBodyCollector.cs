using System.Buffers;
using CoAP.Exchanges;

namespace CoAP.Blockwise;

/// <summary>Collects the blocks of a response's body in memory, or passes them on to a stream.</summary>
internal sealed class ResponseBodyCollector(BodyTarget? target, int readAhead)
{
    private List<ReadOnlyMemory<byte>> _parts = [];
    private ArrayBufferWriter<byte>? _collected;    // all parts, once there are several
    private long _waiting;      // bytes in the parts
    private long _writing;      // bytes that the caller is writing

    /// <summary>The number of bytes written to the stream.</summary>
    public long Written { get; private set; }

    /// <summary>Whether the stream has to take bytes before the next block is requested.</summary>
    public bool IsFull => target is not null && _waiting + _writing >= readAhead;

    /// <summary>Whether the stream has taken all bytes.</summary>
    public bool IsFlushed => target is null || _waiting + _writing == 0;

    /// <summary>Whether the body is collected in memory.</summary>
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
        // Small blocks must not keep their messages alive, each of which can be as large as a datagram.
        _collected ??= Begin(_parts[0]);
        _collected.Write(part.Span);
    }

    public void Clear()
    {
        _parts = [];
        _collected = null;
        _waiting = 0;
    }

    /// <summary>Returns the next write, or <see langword="null"/> if a write is in progress or there are no bytes to write.</summary>
    public WriteBodyTask? NextWrite(IBodyTransfer transfer)
    {
        if (target is null || _writing > 0 || _waiting == 0) { return null; }
        var write = new WriteBodyTask(transfer, target.Stream, _parts);
        (_writing, _waiting, _parts) = (_waiting, 0, []);
        return write;
    }

    public void OnWritten()
    {
        Written += _writing;
        _writing = 0;
    }

    /// <summary>Returns the whole body.</summary>
    public ReadOnlyMemory<byte> Collect() => _collected?.WrittenMemory ?? (_parts.Count == 0 ? default : _parts[0]);

    private ArrayBufferWriter<byte> Begin(ReadOnlyMemory<byte> first)
    {
        var collected = new ArrayBufferWriter<byte>(2 * first.Length);
        collected.Write(first.Span);
        _parts = [];
        return collected;
    }
}

/// <summary>Writes a part of a response's body to its stream.</summary>
internal sealed class WriteBodyTask(IBodyTransfer transfer, Stream stream, List<ReadOnlyMemory<byte>> parts) : CallerTask(transfer)
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
