using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>The meaning of a signal for the connection (RFC 8323, section 5).</summary>
internal enum Signal
{
    None,
    Csm,
    Ping,

    /// <summary>Release or Abort.</summary>
    End,
}

/// <summary>A connection.</summary>
internal sealed class StreamPeer(Socket socket)
{
    public Socket Socket => socket;

    /// <summary>The beginning of an incomplete message.</summary>
    public byte[] Rest { get; set; } = [];

    /// <summary>Whether the server's CSM has come.</summary>
    public bool IsGreeted { get; set; }

    public bool IsClosed { get; set; }
}

/// <summary>Cuts what a server sends over TCP into messages and checks them against the outstanding requests.</summary>
internal sealed class StreamAnswers(LoopSettings settings, RequestTable requests, Tallies tallies)
{
    private const int Size = 1 << 18, LongestToken = 8;
    private const byte CsmCode = 0xE1, PingCode = 0xE2, PongCode = 0xE3, ReleaseCode = 0xE4, AbortCode = 0xE5;

    private readonly byte[] _buffer = new byte[Size];
    private readonly byte[] _pong = new byte[2 + LongestToken];
    private int _at;
    private int _end;
    private int _pongLength;

    /// <summary>Whether the peer sent a malformed message, or one that is longer than the generator takes.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>The answer to the last ping.</summary>
    public ReadOnlySpan<byte> Pong => _pong.AsSpan(0, _pongLength);

    /// <summary>Receives behind the rest of the connection's last bytes. Returns the number of bytes; 0 at the end or after an error.</summary>
    public int Receive(StreamPeer peer)
    {
        peer.Rest.CopyTo(_buffer, 0);
        (_at, _end, IsBroken) = (0, peer.Rest.Length, false);
        var got = peer.Socket.Receive(_buffer.AsSpan(_end), SocketFlags.None, out _);
        _end += got;
        return got;
    }

    /// <summary>Takes the next complete message. Sets <paramref name="finished"/> to the slot whose request it ends, or to -1.</summary>
    public bool TryTake(int peer, long now, out int finished, out Signal signal)
    {
        (finished, signal) = (-1, Signal.None);
        var bytes = _buffer.AsSpan(_at, _end - _at);
        if (!StreamFrame.TryRead(bytes, out var frame)) { return false; }
        IsBroken = frame.Token.Length > LongestToken || frame.Length > Size;
        if (IsBroken || frame.Length > bytes.Length) { return false; }
        _at += (int)frame.Length;
        if (frame.IsSignal) { signal = SignalOf(frame); }
        else if (frame.Code != 0) { finished = TakeAnswer(peer, frame, bytes[..(int)frame.Length], now); }
        return true;
    }

    /// <summary>Stores an incomplete message with its connection.</summary>
    public void KeepRest(StreamPeer peer)
    {
        if (_end - _at + peer.Rest.Length > 0) { peer.Rest = _buffer.AsSpan(_at, _end - _at).ToArray(); }
    }

    private int TakeAnswer(int peer, in StreamFrame frame, ReadOnlySpan<byte> message, long now)
    {
        var slot = requests.Match(peer, frame.Token);
        if (slot < 0) { tallies.Current.Strays++; }
        else { tallies.For(requests[slot]).Answered(settings, frame.Code, message, now - requests[slot].Since); }
        return slot;
    }

    private Signal SignalOf(in StreamFrame frame)
    {
        if (frame.Code != PingCode) { return frame.Code switch { CsmCode => Signal.Csm, ReleaseCode or AbortCode => Signal.End, _ => Signal.None }; }
        (_pong[0], _pong[1], _pongLength) = ((byte)frame.Token.Length, PongCode, 2 + frame.Token.Length);
        frame.Token.CopyTo(_pong.AsSpan(2));
        return Signal.Ping;
    }
}
