using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the datagrams that one call sends from one socket, written one behind the other.</summary>
/// <remarks>
/// Datagrams of one length for one peer, one after another, become one message that the kernel cuts up again as late as it can (generic
/// segmentation offload, Linux 4.18): the way through its layers is paid once. A kernel or a network card that cannot do it says so when
/// the message is sent; its datagrams are then sent apart. What works apart only is not gathered again.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SendBatch : IDisposable
{
    private const int AddressStride = 32, ControlStride = 64, UsualDatagram = 2048;

    // What fits into the least MTU of IPv6 (RFC 8200, section 5), and what one IP packet holds; as many as each kernel takes.
    private const int LongestGathered = 1280 - 48, MostBytes = 62_000, MostGathered = 64;

    private readonly int _size;
    private readonly int _capacity;
    private readonly AddressFamily _family;
    private readonly byte* _memory;
    private readonly byte* _addresses;
    private readonly byte* _controls;
    private readonly DataVector* _vectors;
    private readonly MessageHeader* _messages;
    private readonly Gathered[] _gathered;
    private PeerIdentity _lastPeer;
    private PeerIdentity _lastSource;
    private int _count;
    private int _next;
    private int _used;
    private byte* _end;         // of the message whose datagrams are being sent apart
    private SocketError _why;
    private int _longest;       // of what is gathered; 0 if nothing is

    public SendBatch(int size, AddressFamily family, bool gathers)
    {
        (_size, _family, _capacity) = (size, family, Math.Max(size * UsualDatagram, UdpSettings.LargestDatagram));
        _longest = gathers ? LongestGathered : 0;
        _gathered = new Gathered[size];
        _memory = (byte*)NativeMemory.AllocZeroed((nuint)_capacity);
        _addresses = (byte*)NativeMemory.AllocZeroed((nuint)size, AddressStride);
        _controls = (byte*)NativeMemory.AllocZeroed((nuint)size, ControlStride);
        _vectors = (DataVector*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(DataVector));
        _messages = (MessageHeader*)NativeMemory.AllocZeroed((nuint)size, (nuint)sizeof(MessageHeader));
        for (var i = 0; i < size; i++)
        {
            var address = _addresses + (i * AddressStride);
            *(ushort*)address = family == AddressFamily.InterNetwork ? (ushort)2 : (ushort)10;
            _messages[i] = new MessageHeader
            {
                Name = address,
                NameLength = (uint)AddressBytes.Length(family),
                Vectors = _vectors + i,
                VectorCount = 1,
            };
        }
    }

    /// <summary>Whether there is something that was neither sent nor skipped.</summary>
    public bool HasMore => _next < _count;

    /// <summary>How many datagrams were neither sent nor skipped.</summary>
    public int Count
    {
        get
        {
            var count = 0;
            for (var i = _next; i < _count; i++) { count += _gathered[i].Count; }
            return count;
        }
    }

    /// <summary>The datagram in turn, which is the first of its message.</summary>
    public ReadOnlySpan<byte> Datagram => new(_vectors[_next].Start, IsApart ? (int)_vectors[_next].Length : _gathered[_next].Length);

    public PeerIdentity Peer => AddressBytes.Read(new ReadOnlySpan<byte>(_messages[_next].Name, AddressStride), _family);

    public bool HasRoomFor(int length) => _count < _size && length <= _capacity - _used;

    /// <param name="peer">Where to.</param>
    /// <param name="source">The address to send from; none leaves it to the kernel.</param>
    /// <param name="datagram">What; there must be room for it.</param>
    public void Add(in PeerIdentity peer, in PeerIdentity source, ReadOnlySpan<byte> datagram)
    {
        datagram.CopyTo(new Span<byte>(_memory + _used, datagram.Length));
        if (!TryGather(peer, source, datagram.Length)) { AddMessage(peer, source, datagram.Length); }
        _used += datagram.Length;
    }

    /// <summary>The address that the datagram in turn was to be sent from; none if the kernel chooses.</summary>
    public PeerIdentity Source(ushort port) => _gathered[_next].HasSource
        ? ControlMessages.ReadSource(new ReadOnlySpan<byte>(_messages[_next].Control, ControlStride), port, _family)
        : default;

    /// <summary>Sends what is left, and goes past what was sent.</summary>
    /// <returns>How many datagrams were sent; a number below 0 means that <see cref="LinuxCalls.LastError"/> tells why none was.</returns>
    public int Send(int socket)
    {
        var messages = IsApart ? 1 : _count - _next;
        var sent = LinuxCalls.SendMessages(socket, _messages + _next, (uint)messages, LinuxCalls.DontWait | LinuxCalls.NoSignal);
        if (sent < 0) { return sent; }
        if (IsApart) { Learn(); }
        var datagrams = 0;
        for (; sent > 0; sent--)
        {
            datagrams += IsApart ? 1 : _gathered[_next].Count;
            Skip();
        }
        return datagrams;
    }

    /// <summary>Goes past the message in turn, or past one datagram of a message whose datagrams are sent apart.</summary>
    public void Skip()
    {
        ref var vector = ref _vectors[_next];
        if (IsApart && vector.Start + vector.Length < _end)
        {
            vector.Start += vector.Length;
            vector.Length = (nuint)Math.Min(_gathered[_next].Length, _end - vector.Start);
            _gathered[_next].Count--;
            return;
        }
        _end = null;
        _next++;
    }

    /// <summary>From now on sends the message in turn datagram by datagram; it may be one that already is, or has only one.</summary>
    /// <param name="why">The error that it could not be sent for.</param>
    public bool TrySendApart(SocketError why)
    {
        if (IsApart || _gathered[_next].Count == 1) { return false; }
        ref var vector = ref _vectors[_next];
        ref var message = ref _messages[_next];
        _end = vector.Start + vector.Length;
        _why = why;
        vector.Length = (nuint)_gathered[_next].Length;
        message.ControlLength -= ControlMessages.SegmentLength;
        if (message.ControlLength == 0) { message.Control = null; }
        return true;
    }

    public void Clear()
    {
        (_count, _next, _used) = (0, 0, 0);
        _end = null;
    }

    public void Dispose()
    {
        NativeMemory.Free(_memory);
        NativeMemory.Free(_addresses);
        NativeMemory.Free(_controls);
        NativeMemory.Free(_vectors);
        NativeMemory.Free(_messages);
    }

    private bool IsApart => _end is not null;

    // What did not go together did go alone. The network and peers fail for reasons of their own, which pass.
    private void Learn()
    {
        if (_why == SocketError.MessageSize) { _longest = Math.Min(_longest, _gathered[_next].Length / 2); }
        if (_why is SocketError.InvalidArgument or SocketError.SocketError or SocketError.ProtocolNotSupported) { _longest = 0; }
        _why = SocketError.Success;
    }

    private void AddMessage(in PeerIdentity peer, in PeerIdentity source, int length)
    {
        ref var message = ref _messages[_count];
        AddressBytes.Write(peer, new Span<byte>(message.Name, AddressStride), _family);
        message.Control = source.IsNone ? null : _controls + (_count * ControlStride);
        message.ControlLength = source.IsNone
            ? 0
            : (nuint)ControlMessages.WriteSource(source, new Span<byte>(message.Control, ControlStride), _family);
        _vectors[_count] = new DataVector { Start = _memory + _used, Length = (nuint)length };
        _gathered[_count] = new() { Length = length, Count = 1, HasSource = !source.IsNone, IsOpen = length > 0 && length <= _longest };
        (_lastPeer, _lastSource) = (peer, source);
        _count++;
    }

    private bool TryGather(in PeerIdentity peer, in PeerIdentity source, int length)
    {
        if (_count == 0) { return false; }
        var last = _count - 1;
        ref var gathered = ref _gathered[last];
        if (!gathered.IsOpen || length > gathered.Length || length == 0) { return false; }
        if (_lastPeer != peer || _lastSource != source || (int)_vectors[last].Length + length > MostBytes) { return false; }
        if (gathered.Count == 1) { WriteSegmentSize(last, (ushort)gathered.Length); }
        gathered.Count++;
        gathered.IsOpen = length == gathered.Length && gathered.Count < MostGathered;       // only the last one may be shorter
        _vectors[last].Length += (nuint)length;
        return true;
    }

    private void WriteSegmentSize(int index, ushort size)
    {
        ref var message = ref _messages[index];
        message.Control = _controls + (index * ControlStride);
        ControlMessages.WriteSegmentSize(size, new Span<byte>(message.Control + message.ControlLength, ControlMessages.SegmentLength));
        message.ControlLength += ControlMessages.SegmentLength;
    }

    /// <summary>What a message is made of.</summary>
    private struct Gathered
    {
        public int Length;          // of each datagram but the last
        public int Count;
        public bool HasSource;
        public bool IsOpen;
    }
}
