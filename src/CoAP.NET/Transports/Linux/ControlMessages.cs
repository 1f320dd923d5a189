using System.Buffers.Binary;
using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CoAP.Transports;

/// <summary>Reads and writes the control messages of a datagram: its local address, the number of lost datagrams, network errors.</summary>
/// <remarks>
/// A control message has a length of 8 bytes that includes the header, a level and a type of 4 bytes each, and the data, padded to 8 bytes.
/// </remarks>
[SupportedOSPlatform("linux")]
internal ref struct ControlMessages(ReadOnlySpan<byte> region)
{
    public const int LevelSocket = 1, LevelIP = 0, LevelIPv6 = 41, LevelUdp = 17;
    public const int PacketInfo = 8, PacketInfoIPv6 = 50, ReceiveErrors = 11, ReceiveErrorsIPv6 = 25, ReceiveOverflow = 40, ReceivedSegmentSize = 104;

    /// <summary>The length of the message that <see cref="WriteSegmentSize"/> writes, in bytes.</summary>
    public const int SegmentLength = 24;

    private const int SegmentSize = 103;
    private const int Header = 16, InfoLength = 12, InfoLengthIPv6 = 20;

    private ReadOnlySpan<byte> _rest = region;

    public int Level { get; private set; }

    public int Type { get; private set; }

    public ReadOnlySpan<byte> Data { get; private set; }

    /// <summary>Advances to the next control message. Returns <see langword="false"/> at the end of the region.</summary>
    public bool MoveNext()
    {
        if (_rest.Length < Header) { return false; }
        var length = MemoryMarshal.Read<long>(_rest);
        if (length < Header || length > _rest.Length) { return false; }
        (Level, Type) = (MemoryMarshal.Read<int>(_rest[8..]), MemoryMarshal.Read<int>(_rest[12..]));
        Data = _rest[Header..(int)length];
        _rest = _rest[Math.Min(((int)length + 7) & ~7, _rest.Length)..];
        return true;
    }

    /// <summary>Returns whether the datagram was sent to a group or as a broadcast, and the address that the kernel would answer from.</summary>
    /// <param name="port">The port of the socket.</param>
    /// <param name="local">The destination address in the header, as <see cref="TryReadLocal"/> reads it.</param>
    /// <param name="answering">The address to answer from. None if the kernel does not report it.</param>
    public readonly bool IsGroupOrBroadcast(ushort port, in PeerIdentity local, out PeerIdentity answering)
    {
        answering = Type == PacketInfo ? PeerIdentity.FromIPv4(BinaryPrimitives.ReadUInt32BigEndian(Data[4..]), port) : default;
        return local.IsMulticast || (!answering.IsNone && answering.IPv4Address != 0 && answering != local);
    }

    /// <summary>Reads the destination address of the datagram from <c>in_pktinfo</c> or <c>in6_pktinfo</c>.</summary>
    public readonly bool TryReadLocal(ushort port, out PeerIdentity local)
    {
        switch (Level, Type)
        {
            case (LevelIP, PacketInfo) when Data.Length >= InfoLength:
                local = PeerIdentity.FromIPv4(BinaryPrimitives.ReadUInt32BigEndian(Data[8..]), port);
                return true;
            case (LevelIPv6, PacketInfoIPv6) when Data.Length >= InfoLengthIPv6:
                local = PeerIdentity.FromIPv6(Data, MemoryMarshal.Read<uint>(Data[16..]), port);
                return true;
            default:
                local = default;
                return false;
        }
    }

    /// <summary>Reads <c>sock_extended_err</c>, if it reports that this datagram did not arrive and a repetition will not arrive either.</summary>
    /// <remarks>
    /// Time exceeded and source quench are ignored (RFC 7252, section 4.2). Packet too big is ignored too, because the kernel sends the next
    /// attempt in fragments.
    /// </remarks>
    public readonly bool TryReadFinalError(out SocketError error)
    {
        const byte FromIcmp = 2, FromIcmpIPv6 = 3;
        error = SocketError.Success;
        if ((Level, Type) is not ((LevelIP, ReceiveErrors) or (LevelIPv6, ReceiveErrorsIPv6)) || Data.Length < 16) { return false; }
        var (origin, type, code) = (Data[4], Data[5], Data[6]);
        var isFinal = origin switch
        {
            FromIcmp => type is 3 && code is not 4 || type is 12,
            FromIcmpIPv6 => type is 1 or 4,
            _ => false,
        };
        if (isFinal) { error = LinuxCalls.ToSocketError(MemoryMarshal.Read<int>(Data)); }
        return isFinal;
    }

    /// <summary>Writes the source address for a socket of this family. Returns the length of the message.</summary>
    public static int WriteSource(in PeerIdentity local, Span<byte> destination, AddressFamily family)
    {
        var isIPv4 = family == AddressFamily.InterNetwork;
        var length = Header + (isIPv4 ? InfoLength : InfoLengthIPv6);
        destination[..((length + 7) & ~7)].Clear();
        MemoryMarshal.Write(destination, (long)length);
        MemoryMarshal.Write(destination[8..], isIPv4 ? LevelIP : LevelIPv6);
        MemoryMarshal.Write(destination[12..], isIPv4 ? PacketInfo : PacketInfoIPv6);
        if (isIPv4)
        {
            BinaryPrimitives.WriteUInt32BigEndian(destination[(Header + 4)..], local.IPv4Address);
        }
        else
        {
            local.WriteIPv6(destination[Header..]);
            MemoryMarshal.Write(destination[(Header + 16)..], local.ScopeId);
        }

        return (length + 7) & ~7;
    }

    /// <summary>Writes the length into which the kernel splits the data (<c>UDP_SEGMENT</c>).</summary>
    public static void WriteSegmentSize(ushort size, Span<byte> destination)
    {
        MemoryMarshal.Write(destination, (long)(Header + sizeof(ushort)));
        MemoryMarshal.Write(destination[8..], LevelUdp);
        MemoryMarshal.Write(destination[12..], SegmentSize);
        MemoryMarshal.Write(destination[Header..], size);
    }

    /// <summary>Returns whether the kernel supports <see cref="WriteSegmentSize"/>. An older kernel would send all data as one datagram.</summary>
    public static bool CanSegment(Socket socket)
    {
        try { return socket.GetRawSocketOption(LevelUdp, SegmentSize, stackalloc byte[sizeof(int)]) > 0; }
        catch (SocketException) { return false; }
    }

    /// <summary>Reads the address that <see cref="WriteSource"/> wrote.</summary>
    public static PeerIdentity ReadSource(ReadOnlySpan<byte> source, ushort port, AddressFamily family) =>
        family == AddressFamily.InterNetwork
            ? PeerIdentity.FromIPv4(BinaryPrimitives.ReadUInt32BigEndian(source[(Header + 4)..]), port)
            : PeerIdentity.FromIPv6(source[Header..], MemoryMarshal.Read<uint>(source[(Header + 16)..]), port);
}
