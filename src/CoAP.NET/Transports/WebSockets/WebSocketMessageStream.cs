using System.Globalization;
using System.Net.WebSockets;

namespace CoAP.Transports;

/// <summary>The messages of a WebSocket as bytes that are framed as over TCP, so that the same channel serves both (RFC 8323, section 4.2).</summary>
/// <remarks>
/// Over a WebSocket the Len field is zero and no extended length follows, because the WebSocket marks the boundaries of messages. The reader
/// inserts the length of each message, and the writer removes it. One read and one write at a time are allowed.
/// </remarks>
/// <param name="socket">An open WebSocket. The stream owns it from now on.</param>
/// <param name="limits">The limits on received messages.</param>
/// <param name="charge">The charge for received bytes.</param>
/// <param name="stream">The stream under the WebSocket, if it can batch writes.</param>
internal sealed class WebSocketMessageStream(WebSocket socket, WebSocketLimits limits, WebSocketCharge charge, CoalescingStream? stream = null) : AsyncOnlyStream
{
    private readonly WebSocketMessageReader _reader = new(socket, limits, charge, stream);
    private readonly WebSocketMessageWriter _writer = new(socket, stream);

    /// <summary>The reason that the peer gave for closing. <see langword="null"/> if it gave none, or closed normally.</summary>
    public string? CloseReason
    {
        get
        {
            if (socket.CloseStatus is not { } status) { return null; }
            var description = socket.CloseStatusDescription;
            if (status == WebSocketCloseStatus.NormalClosure && string.IsNullOrEmpty(description)) { return null; }
            var code = string.Create(CultureInfo.InvariantCulture, $"WebSocket close code {(int)status} ({status})");
            return string.IsNullOrEmpty(description) ? code : $"{code}: {description}";
        }
    }

    /// <inheritdoc cref="WebSocketMessageReader.Refusal"/>
    public WebSocketRefusal? Refusal => _reader.Refusal;

    /// <summary>Reads complete messages. With an empty buffer, waits until something arrives.</summary>
    /// <exception cref="InputRefusedException">The peer sent text, a message that is far too large, or one that its account has no room
    /// for.</exception>
    /// <exception cref="IOException">The peer sent a message too slowly, or the WebSocket failed. All earlier messages were
    /// read.</exception>
    public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) => _reader.ReadAsync(buffer);

    /// <summary>Sends complete messages, and the available part of an incomplete one. Several messages are sent in as few writes as possible.</summary>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        try
        {
            await _writer.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        catch (WebSocketException exception)
        {
            throw new IOException($"The WebSocket failed: {exception.Message}", exception.InnerException ?? exception);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing)
        {
            socket.Dispose();
            _reader.Dispose();
        }
        base.Dispose(disposing);
    }
}
