using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>A connection, and the parts of messages that were received or could not be sent yet.</summary>
internal sealed class StreamPeer(Socket socket)
{
    private byte[] _received = [];
    private int _receivedLength;
    private byte[] _unsent = [];
    private int _unsentLength;

    public Socket Socket => socket;

    /// <summary>The server's CSM has come.</summary>
    public bool IsGreeted { get; set; }

    public bool IsClosed { get; set; }

    /// <summary>The system takes no more for now.</summary>
    public bool IsBlocked => _unsentLength > 0;

    public ReadOnlySpan<byte> Unsent => _unsent.AsSpan(0, _unsentLength);

    public ReadOnlySpan<byte> Received => _received.AsSpan(0, _receivedLength);

    public void Keep(ReadOnlySpan<byte> unsent)
    {
        if (_unsent.Length < _unsentLength + unsent.Length) { Array.Resize(ref _unsent, 2 * (_unsentLength + unsent.Length)); }
        unsent.CopyTo(_unsent.AsSpan(_unsentLength));
        _unsentLength += unsent.Length;
    }

    /// <summary>So much was sent. Answers whether that was all.</summary>
    public bool Drop(int sent)
    {
        _unsent.AsSpan(sent, _unsentLength - sent).CopyTo(_unsent);
        _unsentLength -= sent;
        return _unsentLength == 0;
    }

    public void KeepReceived(ReadOnlySpan<byte> part)
    {
        if (_received.Length < part.Length) { _received = new byte[2 * part.Length]; }
        part.CopyTo(_received);
        _receivedLength = part.Length;
    }
}
