using System.Net.Sockets;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Native memory for the datagrams that one call sends from one socket. The datagrams lie one behind the other.</summary>
/// <remarks>
/// Consecutive datagrams of equal length to the same peer form one message, which the kernel splits as late as possible (generic segmentation
/// offload, Linux 4.18). They pass through the layers of the kernel only once. A kernel or network card that cannot split a message reports an
/// error; its datagrams are then sent separately. Datagrams that could only be sent separately are not joined again.
/// </remarks>
[SupportedOSPlatform("linux")]
internal sealed unsafe class SendBatch : IDisposable
{
    private const int ControlStride = 64, TypicalDatagram = 2048;

    // A segment fits into the smallest MTU of IPv6 (RFC 8200, section 5), and a message into one IP packet. All kernels accept 64 segments.
    private const int LargestSegment = 1280 - 48, LargestMessage = 62_000, MaxSegments = 64;

    private readonly int _size;
    private readonly int _capacity;
    private readonly AddressFamily _family;
    private readonly MessageArray _memory;
    private readonly DataVector* _vectors;
    private readonly MessageHeader* _headers;
    private readonly Segments[] _segments;
    private PeerIdentity _lastPeer;
    private PeerIdentity _lastSource;
    private int _count;
    private int _next;
    private int _used;
    private byte* _splitEnd;            // the end of the message whose datagrams are being sent separately
    private SocketError _splitCause;
    private int _largestSegment;        // the largest datagram that is joined; 0 if none is

    public SendBatch(int size, AddressFamily family, bool joinsDatagrams)
    {
        (_size, _family, _capacity) = (size, family, Math.Max(size * TypicalDatagram, UdpSettings.MaxDatagramSize));
        _largestSegment = joinsDatagrams ? LargestSegment : 0;
        _segments = new Segments[size];
        _memory = new MessageArray(size, _capacity, ControlStride);
        _vectors = _memory.Vectors;
        _headers = _memory.Headers;
        for (var i = 0; i < size; i++)
        {
            *(ushort*)_headers[i].Name = family == AddressFamily.InterNetwork ? LinuxCalls.FamilyIPv4 : LinuxCalls.FamilyIPv6;
            _headers[i].NameLength = (uint)AddressBytes.Length(family);
        }
    }

    /// <summary>Whether a datagram is neither sent nor skipped.</summary>
    public bool HasMore => _next < _count;

    /// <summary>The number of datagrams that are neither sent nor skipped.</summary>
    public int Count
    {
        get
        {
            var count = 0;
            for (var i = _next; i < _count; i++) { count += _segments[i].Count; }
            return count;
        }
    }

    /// <summary>The next datagram, which is the first of its message.</summary>
    public ReadOnlySpan<byte> Datagram => new(_vectors[_next].Start, IsSplit ? (int)_vectors[_next].Length : _segments[_next].Length);

    /// <summary>The destination of the next datagram.</summary>
    public PeerIdentity Peer => AddressBytes.Read(new ReadOnlySpan<byte>(_headers[_next].Name, MessageArray.AddressStride), _family);

    public bool HasRoomFor(int length) => _count < _size && length <= _capacity - _used;

    /// <summary>Adds a copy of a datagram.</summary>
    /// <param name="peer">The destination.</param>
    /// <param name="source">The address to send from. If it is none, the kernel chooses one.</param>
    /// <param name="datagram">The bytes. There must be room for them.</param>
    public void Add(in PeerIdentity peer, in PeerIdentity source, ReadOnlySpan<byte> datagram)
    {
        datagram.CopyTo(new Span<byte>(_memory.Data + _used, datagram.Length));
        if (!TryJoin(peer, source, datagram.Length)) { AddMessage(peer, source, datagram.Length); }
        _used += datagram.Length;
    }

    /// <summary>Returns the address that the next datagram is sent from, or none if the kernel chooses it.</summary>
    public PeerIdentity Source(ushort port) => _segments[_next].HasSource
        ? ControlMessages.ReadSource(new ReadOnlySpan<byte>(_headers[_next].Control, ControlStride), port, _family)
        : default;

    /// <summary>Sends the remaining messages and advances past those that were sent.</summary>
    /// <returns>The number of sent datagrams. If it is negative, <see cref="LinuxCalls.LastError"/> has the cause.</returns>
    public int Send(int socket)
    {
        var messages = IsSplit ? 1 : _count - _next;
        var sent = LinuxCalls.SendMessages(socket, _headers + _next, (uint)messages, LinuxCalls.DontWait | LinuxCalls.NoSignal);
        if (sent < 0) { return sent; }
        if (IsSplit) { AdaptSegments(); }
        var datagrams = 0;
        for (; sent > 0; sent--)
        {
            datagrams += IsSplit ? 1 : _segments[_next].Count;
            Skip();
        }
        return datagrams;
    }

    /// <summary>Skips the next message, or one datagram of a message that is split.</summary>
    public void Skip()
    {
        ref var vector = ref _vectors[_next];
        if (IsSplit && vector.Start + vector.Length < _splitEnd)
        {
            vector.Start += vector.Length;
            vector.Length = (nuint)Math.Min(_segments[_next].Length, _splitEnd - vector.Start);
            _segments[_next].Count--;
            return;
        }
        _splitEnd = null;
        _next++;
    }

    /// <summary>Splits the next message, so that its datagrams are sent separately.</summary>
    /// <param name="cause">The error of the send.</param>
    /// <returns><see langword="false"/> if the message has only one datagram, or is already split.</returns>
    public bool TrySplit(SocketError cause)
    {
        if (IsSplit || _segments[_next].Count == 1) { return false; }
        ref var vector = ref _vectors[_next];
        ref var header = ref _headers[_next];
        _splitEnd = vector.Start + vector.Length;
        _splitCause = cause;
        vector.Length = (nuint)_segments[_next].Length;
        header.ControlLength -= ControlMessages.SegmentLength;
        if (header.ControlLength == 0) { header.Control = null; }
        return true;
    }

    public void Clear()
    {
        (_count, _next, _used) = (0, 0, 0);
        _splitEnd = null;
    }

    public void Dispose() => _memory.Dispose();

    private bool IsSplit => _splitEnd is not null;

    // The joined message failed and its first datagram succeeded. Errors of the network and of peers are temporary and change nothing.
    private void AdaptSegments()
    {
        if (_splitCause == SocketError.MessageSize) { _largestSegment = Math.Min(_largestSegment, _segments[_next].Length / 2); }
        if (_splitCause is SocketError.InvalidArgument or SocketError.SocketError or SocketError.ProtocolNotSupported) { _largestSegment = 0; }
        _splitCause = SocketError.Success;
    }

    private void AddMessage(in PeerIdentity peer, in PeerIdentity source, int length)
    {
        ref var header = ref _headers[_count];
        AddressBytes.Write(peer, new Span<byte>(header.Name, MessageArray.AddressStride), _family);
        header.Control = source.IsNone ? null : ControlOf(_count);
        header.ControlLength = source.IsNone
            ? 0
            : (nuint)ControlMessages.WriteSource(source, new Span<byte>(header.Control, ControlStride), _family);
        _vectors[_count] = new DataVector { Start = _memory.Data + _used, Length = (nuint)length };
        _segments[_count] = new() { Length = length, Count = 1, HasSource = !source.IsNone, IsOpen = length > 0 && length <= _largestSegment };
        (_lastPeer, _lastSource) = (peer, source);
        _count++;
    }

    private bool TryJoin(in PeerIdentity peer, in PeerIdentity source, int length)
    {
        if (_count == 0) { return false; }
        var last = _count - 1;
        ref var segments = ref _segments[last];
        if (!segments.IsOpen || length > segments.Length || length == 0) { return false; }
        if (_lastPeer != peer || _lastSource != source || (int)_vectors[last].Length + length > LargestMessage) { return false; }
        if (segments.Count == 1) { WriteSegmentSize(last, (ushort)segments.Length); }
        segments.Count++;
        segments.IsOpen = length == segments.Length && segments.Count < MaxSegments;       // only the last datagram may be shorter
        _vectors[last].Length += (nuint)length;
        return true;
    }

    private void WriteSegmentSize(int index, ushort size)
    {
        ref var header = ref _headers[index];
        header.Control = ControlOf(index);
        ControlMessages.WriteSegmentSize(size, new Span<byte>(header.Control + header.ControlLength, ControlMessages.SegmentLength));
        header.ControlLength += ControlMessages.SegmentLength;
    }

    private byte* ControlOf(int index) => _memory.Controls + (index * ControlStride);

    /// <summary>The datagrams of a message.</summary>
    private struct Segments
    {
        public int Length;          // of each datagram except the last
        public int Count;
        public bool HasSource;
        public bool IsOpen;
    }
}
