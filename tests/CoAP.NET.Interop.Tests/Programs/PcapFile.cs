using System.Buffers.Binary;
using System.Net;

namespace CoAP.Interop.Tests.Programs;

/// <summary>Writes datagrams into a file that tshark reads: packets of IPv4 without a link layer. Safe for concurrent use.</summary>
internal sealed class PcapFile : IDisposable
{
    private const uint Magic = 0xA1B2C3D4;
    private const ushort Major = 2, Minor = 4;
    private const uint LongestPacket = 65_535, RawIp = 101;
    private const int FileHeader = 24, PacketHeader = 16, IpHeader = 20, UdpHeader = 8;
    private const byte Version4WithoutOptions = 0x45, TimeToLive = 64, Udp = 17;

    private readonly FileStream _file;
    private readonly Lock _gate = new();
    private readonly long _started = TimeProvider.System.GetTimestamp();

    public PcapFile(string path)
    {
        _file = File.Create(path);
        Span<byte> header = stackalloc byte[FileHeader];
        header.Clear();
        BinaryPrimitives.WriteUInt32BigEndian(header, Magic);
        BinaryPrimitives.WriteUInt16BigEndian(header[4..], Major);
        BinaryPrimitives.WriteUInt16BigEndian(header[6..], Minor);
        BinaryPrimitives.WriteUInt32BigEndian(header[16..], LongestPacket);
        BinaryPrimitives.WriteUInt32BigEndian(header[20..], RawIp);
        _file.Write(header);
    }

    /// <summary>Adds a datagram with the current time.</summary>
    public void Add(IPEndPoint from, IPEndPoint to, ReadOnlySpan<byte> content)
    {
        var length = IpHeader + UdpHeader + content.Length;
        var packet = new byte[PacketHeader + length];
        var ip = packet.AsSpan(PacketHeader, IpHeader);
        var udp = packet.AsSpan(PacketHeader + IpHeader, UdpHeader);
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(8), length);
        BinaryPrimitives.WriteInt32BigEndian(packet.AsSpan(12), length);
        (ip[0], ip[8], ip[9]) = (Version4WithoutOptions, TimeToLive, Udp);
        BinaryPrimitives.WriteUInt16BigEndian(ip[2..], (ushort)length);
        from.Address.TryWriteBytes(ip[12..], out _);
        to.Address.TryWriteBytes(ip[16..], out _);
        BinaryPrimitives.WriteUInt16BigEndian(udp, (ushort)from.Port);
        BinaryPrimitives.WriteUInt16BigEndian(udp[2..], (ushort)to.Port);
        // Without a checksum, which IPv4 allows.
        BinaryPrimitives.WriteUInt16BigEndian(udp[4..], (ushort)(UdpHeader + content.Length));
        content.CopyTo(packet.AsSpan(PacketHeader + IpHeader + UdpHeader));
        lock (_gate)
        {
            var passed = TimeProvider.System.GetElapsedTime(_started);
            BinaryPrimitives.WriteUInt32BigEndian(packet, (uint)passed.TotalSeconds);
            BinaryPrimitives.WriteUInt32BigEndian(packet.AsSpan(4), (uint)(passed.Ticks % TimeSpan.TicksPerSecond / TimeSpan.TicksPerMicrosecond));
            _file.Write(packet);
            _file.Flush();
        }
    }

    public void Dispose()
    {
        lock (_gate) { _file.Dispose(); }
    }
}
