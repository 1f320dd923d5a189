using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using CoAP.Measurements.HandWritten;
using CoAP.Transports;

namespace CoAP.Measurements.Meshes;

/// <summary>A closed loop over UDP on one thread: each request that was answered is followed by another one, over sixteen sockets.</summary>
/// <remarks>Batches of system calls by the library's own transport, so that the generator costs less than the server; messages are its own bytes.</remarks>
internal sealed class UdpLoad : IDatagramReceiver, IDisposable
{
    private const int Sockets = 16;
    private const int HeaderLength = HandWrittenRequest.DatagramTokenAt + HandWrittenRequest.TokenLength;
    private const int TypeMask = 0x30;
    private const byte EmptyAcknowledgement = 0x60;
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    private readonly IDatagramTransport _transport;
    private readonly PeerIdentity[] _locals;
    private readonly PeerIdentity _server;
    private readonly ushort[] _messageIds = new ushort[Sockets];
    private Slot[] _slots = [];
    private long _end;
    private int _waiting;

    public UdpLoad(int port)
    {
        // One address has one socket of the transport.
        var locals = Enumerable.Range(1, Sockets).Select(static at => new IPEndPoint(new IPAddress([127, 0, 0, (byte)at]), 0)).ToArray();
        _transport = UdpTransport.Bind(locals, 1, new UdpSettings { MaxReceiveSize = 2048, BatchSize = 64 })[0];
        _locals = [.. _transport.LocalEndPoints.Select(PeerIdentity.From)];
        _server = PeerIdentity.From(new IPEndPoint(IPAddress.Loopback, port));
    }

    /// <summary>Asks for some time, then waits for what is in flight. Answers the time that passed.</summary>
    public TimeSpan Run(IReadOnlyList<(UdpAsker Asker, int Outstanding)> askers, TimeSpan time)
    {
        var started = Stopwatch.GetTimestamp();
        _end = started + (long)(time.TotalSeconds * Stopwatch.Frequency);
        _slots = [.. askers.SelectMany(static asker => Enumerable.Repeat(asker.Asker, asker.Outstanding)).Select(static asker => new Slot(asker))];
        for (var at = 0; at < _slots.Length; at++) { Ask(at); }
        _transport.Flush();
        while (_waiting > 0)
        {
            if (_transport.Receive(this) == 0)
            {
                _transport.Wait(TimeSpan.FromMilliseconds(100));
                GiveUpLost();
            }
            _transport.Flush();
        }
        return Stopwatch.GetElapsedTime(started);
    }

    public void Dispose() => _transport.Dispose();

    void IDatagramReceiver.OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram)
    {
        if (datagram.Length < HeaderLength || datagram[1] == 0) { return; }
        if ((datagram[0] & TypeMask) == 0) { _transport.Send(key, [EmptyAcknowledgement, 0, datagram[2], datagram[3]]); }
        var token = BinaryPrimitives.ReadUInt32BigEndian(datagram[HandWrittenRequest.DatagramTokenAt..]);
        var at = (int)(token & 0xFFFF);
        if (at >= _slots.Length || _slots[at] is not { IsWaiting: true } slot || slot.Turn != token >> 16) { return; }
        var now = Stopwatch.GetTimestamp();
        slot.IsWaiting = false;
        _waiting--;
        slot.Asker.Latencies.Record(now - slot.SentAt);
        if (datagram[1] >> 5 != 2) { slot.Asker.Wrong++; }
        if (now < _end) { Ask(at); }
    }

    void IDatagramReceiver.OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error) => throw new SocketException((int)error);

    private void Ask(int at)
    {
        var slot = _slots[at];
        slot.Turn = (slot.Turn + 1) & 0xFFFF;
        slot.IsWaiting = true;
        slot.SentAt = Stopwatch.GetTimestamp();
        _waiting++;
        var socket = at % Sockets;
        _transport.Send(new ChannelKey(_server, _locals[socket]), slot.Asker.Request(_messageIds[socket]++, (slot.Turn << 16) | (uint)at));
    }

    private void GiveUpLost()
    {
        var now = Stopwatch.GetTimestamp();
        for (var at = 0; at < _slots.Length; at++)
        {
            var slot = _slots[at];
            if (!slot.IsWaiting || Stopwatch.GetElapsedTime(slot.SentAt, now) < Patience) { continue; }
            slot.IsWaiting = false;
            slot.Asker.Missing++;
            _waiting--;
            if (now < _end) { Ask(at); }
        }
    }

    private sealed class Slot(UdpAsker asker)
    {
        public UdpAsker Asker => asker;

        public bool IsWaiting { get; set; }

        public uint Turn { get; set; } = (uint)Random.Shared.Next(0x10000);

        public long SentAt { get; set; }
    }
}
