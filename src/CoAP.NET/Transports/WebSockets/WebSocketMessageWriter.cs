using System.Buffers;
using System.Net.WebSockets;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <summary>Splits bytes that are framed as over TCP into the messages of a WebSocket. The bytes may be split anywhere into writes.</summary>
/// <param name="socket">An open WebSocket.</param>
/// <param name="stream">The stream under the WebSocket, if it can batch writes.</param>
internal sealed class WebSocketMessageWriter(WebSocket socket, CoalescingStream? stream)
{
    // The start of a message is copied behind its header, up to this length. The rest of a large message is sent without a copy.
    private const int LargestCopy = 16 << 10;

    // The space that several messages of medium size need for their WebSocket headers.
    private const int BatchOverhead = 8 << 10;

    private readonly byte[] _header = new byte[StreamHeader.MaxLength];
    private int _headerLength;
    private long _left;             // of the message that is being sent

    /// <summary>Sends complete messages, and the available part of an incomplete one.</summary>
    public async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        if (stream is null || IsOneMessage(bytes.Span))
        {
            await SplitAsync(bytes, cancellationToken).ConfigureAwait(false);
            return;
        }
        await stream.BeginBatchAsync(bytes.Length + BatchOverhead).ConfigureAwait(false);
        try { await SplitAsync(bytes, cancellationToken).ConfigureAwait(false); }
        finally { await stream.EndBatchAsync().ConfigureAwait(false); }
    }

    private bool IsOneMessage(ReadOnlySpan<byte> bytes)
    {
        if (_headerLength > 0) { return false; }
        if (_left > 0) { return bytes.Length <= _left; }
        return StreamHeader.Read(bytes, out var header) == FormatError.None && header.TotalLength >= bytes.Length;
    }

    private async ValueTask SplitAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        while (!bytes.IsEmpty || _headerLength > 0)
        {
            if (_left > 0 && _headerLength == 0)
            {
                var count = (int)Math.Min(_left, bytes.Length);
                _left -= count;
                await SendAsync(bytes[..count], isWhole: _left == 0, cancellationToken).ConfigureAwait(false);
                bytes = bytes[count..];
                continue;
            }
            if (!TryReadHeader(ref bytes, out var header)) { return; }
            bytes = await SendStartAsync(header, bytes, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>Collects the bytes of a header. Returns <see langword="false"/> if the header is incomplete.</summary>
    private bool TryReadHeader(ref ReadOnlyMemory<byte> bytes, out StreamHeader header)
    {
        while (StreamHeader.Read(_header.AsSpan(0, _headerLength), out header) != FormatError.None)
        {
            if (bytes.IsEmpty) { return false; }
            _header[_headerLength++] = bytes.Span[0];
            bytes = bytes[1..];
        }
        return true;
    }

    private async ValueTask<ReadOnlyMemory<byte>> SendStartAsync(StreamHeader header, ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        var rest = header.TotalLength - header.TokenStart;
        var count = (int)Math.Min(Math.Min(rest, bytes.Length), LargestCopy);
        var piece = ArrayPool<byte>.Shared.Rent(StreamHeader.MaxLength + count);
        // Keep the token length, and everything after the length of the message.
        var extension = TokenFormat.ExtendedLengthOf(_header[0] & 0x0F);
        piece[0] = (byte)(_header[0] & 0x0F);
        _header.AsSpan(header.TokenStart - extension - 1, extension + 1).CopyTo(piece.AsSpan(1));
        var start = 2 + extension;
        bytes[..count].CopyTo(piece.AsMemory(start));
        (_headerLength, _left) = (0, rest - count);
        try { await SendAsync(piece.AsMemory(0, start + count), isWhole: _left == 0, cancellationToken).ConfigureAwait(false); }
        finally { ArrayPool<byte>.Shared.Return(piece); }
        return bytes[count..];
    }

    private ValueTask SendAsync(ReadOnlyMemory<byte> bytes, bool isWhole, CancellationToken cancellationToken) =>
        socket.SendAsync(bytes, WebSocketMessageType.Binary, isWhole, cancellationToken);
}
