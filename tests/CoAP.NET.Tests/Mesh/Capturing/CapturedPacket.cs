using System.Buffers.Binary;
using System.Net;

namespace CoAP.Tests.Mesh.Capturing;

/// <summary>A packet of a capture. Its checksums have been verified.</summary>
internal sealed record CapturedPacket(
    DateTimeOffset Time, bool IsSent, bool IsTcp, IPEndPoint Source, IPEndPoint Destination, uint Sequence, uint Acknowledged, int Flags, byte[] Content)
{
    public static CapturedPacket Parse(ReadOnlySpan<byte> packet, DateTimeOffset time, bool isSent)
    {
        var isIPv4 = packet[0] >> 4 == 4;
        var (header, at, size) = isIPv4 ? (20, 12, 4) : (40, 8, 16);
        if (isIPv4) { RequireZero(Sum(packet[..20], 0), "IP"); }
        var protocol = isIPv4 ? packet[9] : packet[6];
        var total = isIPv4 ? BinaryPrimitives.ReadUInt16BigEndian(packet[2..]) : 40 + BinaryPrimitives.ReadUInt16BigEndian(packet[4..]);
        if (total != packet.Length) { throw new FormatException($"The header says {total} bytes, and the packet has {packet.Length}."); }
        var payload = packet[header..];
        RequireZero(Sum(payload, Sum(packet.Slice(at, 2 * size), (uint)(payload.Length + protocol))), protocol == 6 ? "TCP" : "UDP");
        var isTcp = protocol == 6;
        return new CapturedPacket(
            time, isSent, isTcp,
            new IPEndPoint(new IPAddress(packet.Slice(at, size)), BinaryPrimitives.ReadUInt16BigEndian(payload)),
            new IPEndPoint(new IPAddress(packet.Slice(at + size, size)), BinaryPrimitives.ReadUInt16BigEndian(payload[2..])),
            isTcp ? BinaryPrimitives.ReadUInt32BigEndian(payload[4..]) : 0, isTcp ? BinaryPrimitives.ReadUInt32BigEndian(payload[8..]) : 0,
            isTcp ? payload[13] : 0, payload[(isTcp ? payload[12] >> 4 << 2 : 8)..].ToArray());
    }

    private static uint Sum(ReadOnlySpan<byte> bytes, uint sum)
    {
        for (var i = 0; i < bytes.Length; i++) { sum += i % 2 == 0 ? (uint)bytes[i] << 8 : bytes[i]; }
        return sum;
    }

    // RFC 1071: a sum with its checksum is all ones.
    private static void RequireZero(uint sum, string what)
    {
        while (sum > 0xFFFF) { sum = (sum & 0xFFFF) + (sum >> 16); }
        if (sum != 0xFFFF) { throw new FormatException($"The checksum of {what} is wrong."); }
    }
}
