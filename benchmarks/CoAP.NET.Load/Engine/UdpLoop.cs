using System.Net.Sockets;

namespace CoAP.Load;

/// <summary>Load over UDP: sockets with a port each.</summary>
internal sealed class UdpLoop : LoadLoop
{
    private const int ReceiveBuffer = 1 << 20;

    private readonly Socket[] _sockets;
    private readonly ushort[] _messageIds;
    private readonly IDatagramCalls _calls;
    private readonly DatagramAnswers _answers;
    private readonly byte[] _empty = new byte[4];

    public UdpLoop(LoadSettings settings)
        : base(settings)
    {
        _sockets = new Socket[settings.Sockets];
        _messageIds = new ushort[settings.Sockets];
        _calls = LinuxCalls.IsSupported && !settings.IsPortable ? new LinuxDatagrams() : new PortableDatagrams();
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
        _calls.Dispose();
        base.Dispose();
    }

    protected override ushort NextMessageId(int peer) => _messageIds[peer]++;

    protected override void Flush(int peer)
    {
        Span<int> slots = stackalloc int[IDatagramCalls.BatchSize];
        while (Queues.First(peer) >= 0)
        {
            var count = 0;
            for (var slot = Queues.First(peer); slot >= 0 && count < slots.Length; slot = Queues.After(slot)) { slots[count++] = slot; }
            var now = Clock.Now;
            var sent = _calls.Send(_sockets[peer], Requests, slots[..count]);
            for (var index = 0; index < sent; index++) { MarkSent(peer, now); }
            if (sent < 0) { Tallies.Measured.Refusals++; }
            if (sent <= 0) { return; }
        }
    }

    protected override void Read(int peer)
    {
        var count = _calls.Receive(_sockets[peer]);
        if (count < 0) { Tallies.Measured.Refusals++; }
        var now = Clock.Now;
        for (var index = 0; index < count; index++)
        {
            var datagram = _calls.Datagram(index);
            var reaction = _answers.Take(peer, datagram, now, out var finished);
            if (reaction != Reaction.None) { React(peer, reaction, datagram); }
            if (finished >= 0) { End(finished); }
        }
    }

    private void React(int peer, Reaction reaction, ReadOnlySpan<byte> datagram)
    {
        _empty[0] = (byte)(reaction == Reaction.Acknowledge ? 0x60 : 0x70);
        datagram[2..4].CopyTo(_empty.AsSpan(2));
        _sockets[peer].Send(_empty, SocketFlags.None, out var error);
        if (error != SocketError.Success) { Tallies.Measured.Refusals++; }
    }
}
