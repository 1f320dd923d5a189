using System.Buffers.Binary;
using System.Text;

namespace CoAP.Mesh;

/// <summary>Writes the blocks of a pcapng file with one interface of raw IP packets (draft-ietf-opsawg-pcapng).</summary>
internal sealed class PcapngWriter
{
    private const uint SectionHeader = 0x0A0D0D0A;
    private const uint InterfaceDescription = 1;
    private const uint InterfaceStatistics = 5;
    private const uint EnhancedPacket = 6;
    private const ushort RawIP = 101;
    private const ushort EndOfOptions = 0;

    private readonly Stream _stream;
    private byte[] _block = new byte[2048];
    private int _size;

    /// <summary>Writes the headers of a file.</summary>
    public PcapngWriter(Stream stream)
    {
        _stream = stream;
        Begin(SectionHeader);
        Add32(0x1A2B3C4D);          // the byte order
        Add32(1);                   // version 1.0
        Add32(uint.MaxValue);       // the length of the section is not known
        Add32(uint.MaxValue);
        AddOption(4, "CoAP.NET"u8);
        AddOption(EndOfOptions, default);
        End();
        Begin(InterfaceDescription);
        Add32(RawIP);
        Add32(0);                   // no limit on the length of packets
        AddOption(2, "coap"u8);
        AddOption(3, Encoding.UTF8.GetBytes("Messages of CoAP.NET without TLS, DTLS and WebSocket framing"));
        AddOption(9, [7]);          // timestamps count units of 10^-7 s
        AddOption(EndOfOptions, default);
        End();
    }

    /// <summary>The number of bytes written.</summary>
    public long Length { get; private set; }

    /// <summary>Writes a packet.</summary>
    /// <param name="packet">The packet, from its IP header.</param>
    /// <param name="utcTicks">The time as <see cref="DateTimeOffset.UtcTicks"/>.</param>
    /// <param name="isSent">Whether the packet was sent.</param>
    public void WritePacket(ReadOnlySpan<byte> packet, long utcTicks, bool isSent)
    {
        Begin(EnhancedPacket);
        Add32(0);                   // the interface
        AddTime(utcTicks);
        Add32((uint)packet.Length);
        Add32((uint)packet.Length);
        AddPadded(packet);
        Span<byte> flags = [isSent ? (byte)2 : (byte)1, 0, 0, 0];
        AddOption(2, flags);
        AddOption(EndOfOptions, default);
        End();
    }

    /// <summary>Writes how many packets there were since the beginning of the capture, also in earlier files.</summary>
    /// <param name="received">The packets at the interface, including dropped ones.</param>
    /// <param name="dropped">The packets that were not captured.</param>
    /// <param name="utcTicks">The time as <see cref="DateTimeOffset.UtcTicks"/>.</param>
    public void WriteStatistics(long received, long dropped, long utcTicks)
    {
        Begin(InterfaceStatistics);
        Add32(0);                   // the interface
        AddTime(utcTicks);
        Span<byte> number = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(number, received);
        AddOption(4, number);
        BinaryPrimitives.WriteInt64LittleEndian(number, dropped);
        AddOption(5, number);
        AddOption(EndOfOptions, default);
        End();
    }

    private void Begin(uint type)
    {
        _size = 0;
        Add32(type);
        Add32(0);                   // the length, which End fills in
    }

    private void End()
    {
        var length = (uint)_size + sizeof(uint);
        Add32(length);
        BinaryPrimitives.WriteUInt32LittleEndian(_block.AsSpan(4), length);
        _stream.Write(_block, 0, _size);
        Length += _size;
    }

    // The upper half comes first.
    private void AddTime(long utcTicks)
    {
        var time = (ulong)(utcTicks - DateTime.UnixEpoch.Ticks);
        Add32((uint)(time >> 32));
        Add32((uint)time);
    }

    private void AddOption(ushort code, ReadOnlySpan<byte> value)
    {
        Add32(code | ((uint)value.Length << 16));
        AddPadded(value);
    }

    private void Add32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Take(sizeof(uint)), value);

    private void AddPadded(ReadOnlySpan<byte> bytes)
    {
        var padded = Take((bytes.Length + 3) & ~3);
        bytes.CopyTo(padded);
        padded[bytes.Length..].Clear();
    }

    private Span<byte> Take(int count)
    {
        if (_size + count > _block.Length) { Array.Resize(ref _block, Math.Max(_block.Length * 2, _size + count)); }
        _size += count;
        return _block.AsSpan(_size - count, count);
    }
}
