using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>What a signal asks of the connection (RFC 8323, section 5).</summary>
internal enum Signal
{
    None,
    Csm,
    Ping,

    /// <summary>Release or Abort.</summary>
    End,
}

/// <summary>Cuts what a server sends over TCP into messages and checks them against the requests that are outstanding.</summary>
internal sealed class StreamAnswers(LoadSettings settings, RequestTable requests, Tallies tallies)
{
    private const int Size = 1 << 18, LongestToken = 8;
    private const byte CsmCode = 0xE1, PingCode = 0xE2, PongCode = 0xE3, ReleaseCode = 0xE4, AbortCode = 0xE5;

    private readonly byte[] _buffer = new byte[Size];
    private readonly byte[] _pong = new byte[2 + LongestToken];
    private int _at;
    private int _end;
    private int _pongLength;

    /// <summary>The peer sent what is no message, or one that is longer than the generator takes.</summary>
    public bool IsBroken { get; private set; }

    /// <summary>The answer to the last ping.</summary>
    public ReadOnlySpan<byte> Pong => _pong.AsSpan(0, _pongLength);

    /// <summary>Receives behind what is left over of this connection; answers how much, 0 at its end.</summary>
    public int Receive(StreamPeer peer, out SocketError error)
    {
        peer.Received.CopyTo(_buffer);
        (_at, _end, IsBroken) = (0, peer.Received.Length, false);
        var got = peer.Socket.Receive(_buffer.AsSpan(_end), SocketFlags.None, out error);
        if (error != SocketError.Success) { return -1; }
        _end += got;
        return got;
    }

    /// <summary>Takes the next whole message.</summary>
    /// <param name="peer">Its connection.</param>
    /// <param name="now">When it came.</param>
    /// <param name="finished">The slot whose request it ends, or -1.</param>
    /// <param name="signal">What it asks of the connection.</param>
    public bool TryTake(int peer, long now, out int finished, out Signal signal)
    {
        (finished, signal) = (-1, Signal.None);
        if (!StreamFrame.TryRead(_buffer.AsSpan(_at, _end - _at), out var frame)) { return false; }
        IsBroken = frame.Token.Length > LongestToken || frame.Length > Size;
        if (IsBroken || frame.Length > _end - _at) { return false; }
        _at += (int)frame.Length;
        if (frame.IsSignal) { signal = SignalOf(frame); }
        else if (frame.Code != 0) { finished = TakeAnswer(peer, frame, now); }
        return true;
    }

    /// <summary>Has the connection keep the message that is not whole yet.</summary>
    public void KeepRest(StreamPeer peer) => peer.KeepReceived(_buffer.AsSpan(_at, _end - _at));

    private int TakeAnswer(int peer, in StreamFrame frame, long now)
    {
        var slot = requests.Match(peer, frame.Token);
        if (slot < 0)
        {
            tallies.Current.Strays++;
            return slot;
        }

        var tally = tallies.For(requests[slot]);
        tally.Bytes += frame.Length;
        tally.Answered(settings.Method, frame.Code, now - requests[slot].Since);
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
