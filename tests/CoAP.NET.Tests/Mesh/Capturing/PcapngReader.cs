using System.Buffers.Binary;

namespace CoAP.Tests.Mesh.Capturing;

/// <summary>Reads a pcapng file as the specification defines it (draft-ietf-opsawg-pcapng), and the IP packets in it (RFC 791, 8200, 768, 9293).</summary>
internal sealed class PcapngReader
{
    private PcapngReader()
    {
    }

    public List<CapturedPacket> Packets { get; } = [];

    /// <summary>The statistics: received and dropped packets.</summary>
    public (long Received, long Dropped)? Statistics { get; private set; }

    public int LinkType { get; private set; }

    public static PcapngReader Read(ReadOnlySpan<byte> file)
    {
        var reader = new PcapngReader();
        while (!file.IsEmpty)
        {
            var (type, length) = (BinaryPrimitives.ReadUInt32LittleEndian(file), BinaryPrimitives.ReadInt32LittleEndian(file[4..]));
            if (length % 4 != 0 || BinaryPrimitives.ReadInt32LittleEndian(file[(length - 4)..]) != length) { throw new FormatException("The lengths of a block differ."); }
            reader.Take(type, file[8..(length - 4)]);
            file = file[length..];
        }
        return reader;
    }

    private void Take(uint type, ReadOnlySpan<byte> body)
    {
        switch (type)
        {
            case 0x0A0D0D0A when BinaryPrimitives.ReadUInt32LittleEndian(body) != 0x1A2B3C4D: throw new FormatException("The byte order is wrong.");
            case 1: LinkType = BinaryPrimitives.ReadUInt16LittleEndian(body); break;
            case 5: Statistics = (Option(body[12..], 4), Option(body[12..], 5)); break;
            case 6: TakePacket(body); break;
        }
    }

    private void TakePacket(ReadOnlySpan<byte> body)
    {
        var time = ((long)BinaryPrimitives.ReadUInt32LittleEndian(body[4..]) << 32) | BinaryPrimitives.ReadUInt32LittleEndian(body[8..]);
        var length = BinaryPrimitives.ReadInt32LittleEndian(body[12..]);
        var direction = Option(body[(20 + ((length + 3) / 4 * 4))..], 2) & 3;
        Packets.Add(CapturedPacket.Parse(body.Slice(20, length), DateTimeOffset.UnixEpoch.AddTicks(time), direction == 2));
    }

    private static long Option(ReadOnlySpan<byte> options, int wanted)
    {
        while (BinaryPrimitives.ReadUInt16LittleEndian(options) is var code and not 0)
        {
            var length = BinaryPrimitives.ReadUInt16LittleEndian(options[2..]);
            if (code == wanted) { return length == 4 ? BinaryPrimitives.ReadUInt32LittleEndian(options[4..]) : BinaryPrimitives.ReadInt64LittleEndian(options[4..]); }
            options = options[(4 + ((length + 3) / 4 * 4))..];
        }
        throw new FormatException($"There is no option {wanted}.");
    }
}
