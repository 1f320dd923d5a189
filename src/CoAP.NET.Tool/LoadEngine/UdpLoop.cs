using System.Net.Sockets;

namespace CoAP.Tool.LoadEngine;

/// <summary>Load over UDP: sockets with a port each, many datagrams with one system call.</summary>
internal sealed unsafe class UdpLoop : LoadLoop
{
    private const int ReceiveBuffer = 1 << 20;

    private readonly Socket[] _sockets;
    private readonly ushort[] _messageIds;
    private readonly DatagramAnswers _answers;
    private readonly DatagramBatch _received = new(), _sent = new();
    private readonly byte[] _empty = new byte[4];

    public UdpLoop(LoopSettings settings, RequestShape request)
        : base(settings, request)
    {
        _sockets = new Socket[settings.Sockets];
        _messageIds = new ushort[settings.Sockets];
        _answers = new DatagramAnswers(settings, Requests, Tallies);
    }

    public override void Open()
    {
        for (var peer = 0; peer < _sockets.Length; peer++)
        {
            var socket = new Socket(Settings.Server.AddressFamily, SocketType.Dgram, ProtocolType.Udp) { ReceiveBufferSize = ReceiveBuffer, Blocking = false };
            _sockets[peer] = socket;
            socket.Connect(Settings.Server);
            _messageIds[peer] = (ushort)Random.Shared.Next();
            Readiness.Add(socket, peer);
        }
    }

    public override void Dispose()
    {
        foreach (var socket in _sockets) { socket?.Dispose(); }
        _received.Dispose();
        _sent.Dispose();
        base.Dispose();
    }

    protected override ushort NextMessageId(int peer) => _messageIds[peer]++;

    protected override void Flush(int peer)
    {
        while (Queues.Of(peer).Count > 0)
        {
            var (count, now) = (0, Clock.Now);
            foreach (var slot in Queues.Of(peer))
            {
                _sent.Set(count++, Requests.Start(slot), Requests.RequestLength);
                if (count == DatagramBatch.Size) { break; }
            }
            var sent = Outcome(_sent.Send(_sockets[peer], count));
            for (var index = 0; index < sent; index++) { MarkSent(peer, now); }
            if (sent <= 0) { return; }
        }
    }

    protected override void Read(int peer)
    {
        // No more than can come: asking for one more would cost the system a look into an empty queue.
        var count = Outcome(_received.Receive(_sockets[peer], Math.Max(1, WaitingOn(peer))));
        var now = Clock.Now;
        for (var index = 0; index < count; index++)
        {
            var datagram = _received.Datagram(index);
            var reaction = _answers.Take(peer, datagram, now, out var finished);
            if (reaction != Reaction.None) { React(peer, reaction, datagram); }
            if (finished >= 0) { End(finished); }
        }
    }

    // Counts what the system refuses, for example because no server is there.
    private int Outcome(int count)
    {
        if (count < 0 && LinuxCalls.HasFailed) { Tallies.Current.Refusals++; }
        return count;
    }

    private void React(int peer, Reaction reaction, ReadOnlySpan<byte> datagram)
    {
        const byte Acknowledgement = 0x60, Reset = 0x70;
        _empty[0] = reaction == Reaction.Acknowledge ? Acknowledgement : Reset;
        datagram.Slice(2, 2).CopyTo(_empty.AsSpan(2));
        _sockets[peer].Send(_empty, SocketFlags.None, out _);
    }
}
