using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>Load over TCP: connections with some requests outstanding on each (RFC 8323).</summary>
/// <remarks>Sends block. What is outstanding on a connection has to fit into the buffers of both ends.</remarks>
internal sealed class TcpLoop : LoadLoop
{
    private const int SendSize = 64 << 10, AtOnce = 4, Sources = 16;

    private readonly StreamPeer[] _peers;
    private readonly StreamAnswers _answers;
    private readonly byte[] _output;
    private int _greeted;
    private int _alive;
    private int _awaited;

    private readonly IPAddress? _source;

    /// <param name="settings">The load.</param>
    /// <param name="request">The request.</param>
    /// <param name="source">The local address of connections; <c>null</c> for several loopback addresses in turn.</param>
    public TcpLoop(LoopSettings settings, RequestShape request, IPAddress? source)
        : base(settings, request)
    {
        _source = source;
        _peers = new StreamPeer[settings.Sockets];
        _answers = new StreamAnswers(settings, Requests, Tallies);
        _output = new byte[Math.Max(SendSize, Requests.RequestLength)];
    }

    protected override bool IsDead => _alive == 0;

    // While connections are opened, the loop runs until their CSMs have come.
    protected override bool IsWaiting => _greeted < _awaited;

    public override void Open()
    {
        var isPaced = true;
        for (var peer = 0; peer < _peers.Length; peer++)
        {
            var socket = Connect(peer);
            _peers[peer] = new StreamPeer(socket);
            Readiness.Add(socket, peer);
            _alive++;
            if (peer % AtOnce != AtOnce - 1) { continue; }
            // A server with a short accept queue drops connections that come too fast. Its CSMs show how far it has come.
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

    protected override void Flush(int peer)
    {
        while (Queues.Of(peer).Count > 0 && !_peers[peer].IsClosed)
        {
            var length = 0;
            var now = Clock.Now;
            while (Queues.Of(peer).TryPeek(out var slot) && length + Requests.RequestLength <= _output.Length)
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
        if (_answers.Receive(one) <= 0)
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

    // A reset at the end leaves no port in TIME-WAIT. One loopback address has too few ports for all connections.
    private Socket Connect(int peer)
    {
        var socket = new Socket(Settings.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true, LingerState = new LingerOption(true, 0) };
        if (_source is { } source) { socket.Bind(new IPEndPoint(source, 0)); }
        else if (Settings.Server.Address.Equals(IPAddress.Loopback)) { socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)(1 + (peer % Sources))]), 0)); }
        socket.Connect(Settings.Server);
        socket.Send(StreamFrame.Csm);
        return socket;
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
        _peers[peer].Socket.Send(bytes, SocketFlags.None, out var error);
        if (error != SocketError.Success) { Close(peer); }
    }

    private void Close(int peer)
    {
        var one = _peers[peer];
        if (one.IsClosed) { return; }
        one.IsClosed = true;
        _alive--;
        Tallies.Current.Closed++;
        Readiness.Remove(one.Socket, peer);
        one.Socket.Dispose();
        Abandon(peer);
    }
}
