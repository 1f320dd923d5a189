using System.Buffers;
using System.Net.WebSockets;
using CoAP.Serialization;

namespace CoAP.Transports;

/// <summary>Cuts bytes that are framed as over TCP into the messages of a WebSocket, however they are handed over.</summary>
internal sealed class WebSocketMessageCutter(WebSocket socket)
{
    // What goes in one piece with the start of its message; the rest of a large one follows as it lies.
    private const int Piece = 16 << 10;

    private readonly byte[] _header = new byte[StreamHeader.MaxLength];
    private int _headerLength;
    private long _left;

    /// <summary>Whether these bytes are one message, or a part of one.</summary>
    public bool IsOne(ReadOnlySpan<byte> bytes) => _headerLength > 0
        ? false
        : _left > 0 ? bytes.Length <= _left : StreamHeader.Read(bytes, out var header) == FormatError.None && header.TotalLength >= bytes.Length;

    public async ValueTask SendAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
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

    /// <summary>Takes bytes until they make a header; <see langword="false"/> where there are not enough.</summary>
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
        var count = (int)Math.Min(Math.Min(rest, bytes.Length), Piece);
        var piece = ArrayPool<byte>.Shared.Rent(StreamHeader.MaxLength + count);
        // The nibble of the token's length, and all that follows the message's length.
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
