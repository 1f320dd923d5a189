using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace CoAP.Dtls;

/// <summary>Reads what <see cref="SecretWriter"/> has written. All methods throw a <see cref="CryptographicException"/> if the bytes end too early.</summary>
internal ref struct SecretReader(ReadOnlySpan<byte> bytes)
{
    private const int MostLengthBits = 28;

    private ReadOnlySpan<byte> _rest = bytes;

    /// <summary>Whether everything was read.</summary>
    public readonly bool IsAtEnd => _rest.IsEmpty;

    public byte ReadByte() => Take(1)[0];

    public bool ReadBoolean() => ReadByte() switch
    {
        0 => false,
        1 => true,
        _ => throw NotSession(),
    };

    public ushort ReadUInt16() => BinaryPrimitives.ReadUInt16LittleEndian(Take(sizeof(ushort)));

    public uint ReadUInt32() => BinaryPrimitives.ReadUInt32LittleEndian(Take(sizeof(uint)));

    public ulong ReadUInt64() => BinaryPrimitives.ReadUInt64LittleEndian(Take(sizeof(ulong)));

    public ReadOnlySpan<byte> ReadBytes() => Take(ReadLength());

    public string ReadText() => Encoding.UTF8.GetString(ReadBytes());

    /// <summary>Reads a number of bytes.</summary>
    public ReadOnlySpan<byte> Take(int count)
    {
        if (count > _rest.Length) { throw NotSession(); }
        var taken = _rest[..count];
        _rest = _rest[count..];
        return taken;
    }

    /// <summary>Returns the error of bytes that have another form.</summary>
    public static CryptographicException NotSession() => new("The bytes are not a session.");

    private int ReadLength()
    {
        var length = 0;
        for (var shift = 0; shift < MostLengthBits; shift += 7)
        {
            var next = ReadByte();
            length |= (next & 0x7F) << shift;
            if (next < 0x80) { return length; }
        }
        throw NotSession();
    }
}
