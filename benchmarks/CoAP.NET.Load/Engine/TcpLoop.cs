using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>Load over TCP: connections with some requests outstanding on each (RFC 8323).</summary>
internal sealed class TcpLoop : LoadLoop
{
    private const int SendSize = 64 << 10, AtOnce = 4;
    private static readonly byte[] Csm = [0x00, 0xE1];

    private readonly StreamPeer[] _peers;
    private readonly StreamAnswers _answers;
    private readonly byte[] _output;
    private int _greeted;
    private int _alive;
    private int _awaited;

    public TcpLoop(LoadSettings settings)
        : base(settings)
    {
        _peers = new StreamPeer[settings.Sockets];
        _answers = new StreamAnswers(settings, Requests, Tallies);
        _output = new byte[Math.Max(SendSize, Requests.RequestLength)];
    }

    protected override bool IsDead => _alive == 0;

    // While connections are opened, the loop runs until their CSMs are in.
    protected override bool IsWaiting => _greeted < _awaited;

    public override void Open()
    {
        var isPaced = true;
        for (var peer = 0; peer < _peers.Length; peer++)
        {
            var socket = new Socket(Settings.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            _peers[peer] = new StreamPeer(socket);
            socket.Connect(Settings.Server);
            socket.Send(Csm);
            socket.Blocking = false;
            Readiness.Add(socket, peer);
            _alive++;
            if (peer % AtOnce != AtOnce - 1) { continue; }

            // A server with a short queue of connections to accept drops some of them: its CSMs tell how far it is.
            _awaited = peer + 1;
            RunUntil(Clock.Now + ((isPaced ? 1000 : 1) * Clock.Millisecond));
            isPaced = isPaced && _greeted > peer / 2;
        }

        _awaited = _peers.Length;
        RunUntil(Clock.Now + (2000 * Clock.Millisecond));
        _awaited = 0;
    }

    public override void Dispose()
    {
        foreach (var peer in _peers) { peer?.Socket.Dispose(); }
        base.Dispose();
    }

    protected override bool CanSend(int peer) => !_peers[peer].IsClosed;

    protected override void Resume(int peer)
    {
        if (!_peers[peer].IsClosed) { SendRest(peer); }
        if (!_peers[peer].IsClosed) { Flush(peer); }
    }

    protected override void Flush(int peer)
    {
        while (Queues.First(peer) >= 0 && !_peers[peer].IsBlocked && !_peers[peer].IsClosed)
        {
            var length = 0;
            var now = Clock.Now;
            for (var slot = Queues.First(peer); slot >= 0 && length + Requests.RequestLength <= _output.Length; slot = Queues.First(peer))
            {
                Requests.Request(slot).CopyTo(_output.AsSpan(length));
                length += Requests.RequestLength;
                MarkSent(peer, now);
            }

            Send(peer, _output.AsSpan(0, length));
        }
    }

    protected override void Read(int peer)
    {
        var one = _peers[peer];
        if (one.IsClosed) { return; }
        var got = _answers.Receive(one, out var error);
        if (error == SocketError.WouldBlock) { return; }
        if (got <= 0)
        {
            Close(peer);
            return;
        }

        var now = Clock.Now;
        while (!one.IsClosed && _answers.TryTake(peer, now, out var finished, out var signal))
        {
            if (finished >= 0) { End(finished); }
            else if (signal != Signal.None) { OnSignal(peer, signal); }
        }

        if (_answers.IsBroken) { Close(peer); }
        else { _answers.KeepRest(one); }
    }

    private void OnSignal(int peer, Signal signal)
    {
        switch (signal)
        {
            case Signal.Csm when !_peers[peer].IsGreeted:
                _peers[peer].IsGreeted = true;
                _greeted++;
                break;
            case Signal.Ping:
                Send(peer, _answers.Pong);
                break;
            case Signal.End:
                Close(peer);
                break;
        }
    }

    private void Send(int peer, ReadOnlySpan<byte> bytes)
    {
        var one = _peers[peer];
        if (!one.IsBlocked)
        {
            var sent = one.Socket.Send(bytes, SocketFlags.None, out var error);
            if (error is not (SocketError.Success or SocketError.WouldBlock))
            {
                Close(peer);
                return;
            }

            bytes = bytes[Math.Max(0, sent)..];
            if (bytes.IsEmpty) { return; }
            Readiness.WatchWrites(one.Socket, peer, true);
        }

        one.Keep(bytes);
    }

    private void SendRest(int peer)
    {
        var one = _peers[peer];
        if (!one.IsBlocked) { return; }
        var sent = one.Socket.Send(one.Unsent, SocketFlags.None, out var error);
        if (error is not (SocketError.Success or SocketError.WouldBlock)) { Close(peer); }
        else if (one.Drop(Math.Max(0, sent))) { Readiness.WatchWrites(one.Socket, peer, false); }
    }

    private void Close(int peer)
    {
        var one = _peers[peer];
        if (one.IsClosed) { return; }
        one.IsClosed = true;
        _alive--;
        Tallies.Measured.Closed++;
        Readiness.Remove(one.Socket, peer);
        one.Socket.Dispose();
        Abandon(peer);
    }
}
