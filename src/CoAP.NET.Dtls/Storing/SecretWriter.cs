using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace CoAP.Dtls;

/// <summary>Writes keys and other values into memory, which it overwrites when it is no longer needed. Not safe for concurrent use.</summary>
internal sealed class SecretWriter : IDisposable
{
    private byte[] _bytes = new byte[1024];

    /// <summary>The number of bytes that were written.</summary>
    public int Length { get; private set; }

    /// <summary>What was written.</summary>
    public ReadOnlySpan<byte> Written => _bytes.AsSpan(0, Length);

    public void Write(byte value) => Reserve(1)[0] = value;

    public void Write(bool value) => Write(value ? (byte)1 : (byte)0);

    public void Write(ushort value) => BinaryPrimitives.WriteUInt16LittleEndian(Reserve(sizeof(ushort)), value);

    public void Write(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Reserve(sizeof(uint)), value);

    public void Write(ulong value) => BinaryPrimitives.WriteUInt64LittleEndian(Reserve(sizeof(ulong)), value);

    /// <summary>Writes a length in groups of 7 bits, the lowest first.</summary>
    public void WriteLength(int length)
    {
        for (; length >= 0x80; length >>= 7) { Write((byte)(length | 0x80)); }
        Write((byte)length);
    }

    /// <summary>Writes bytes with their length.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        WriteLength(bytes.Length);
        bytes.CopyTo(Reserve(bytes.Length));
    }

    /// <summary>Writes a text with its length.</summary>
    public void Write(string text)
    {
        var length = Encoding.UTF8.GetByteCount(text);
        WriteLength(length);
        Encoding.UTF8.GetBytes(text, Reserve(length));
    }

    /// <summary>Returns space for a number of bytes. Valid until the next call.</summary>
    public Span<byte> Reserve(int count)
    {
        if (Length + count > _bytes.Length)
        {
            var larger = new byte[Math.Max(Length + count, 2 * _bytes.Length)];
            Written.CopyTo(larger);
            CryptographicOperations.ZeroMemory(_bytes);
            _bytes = larger;
        }
        Length += count;
        return _bytes.AsSpan(Length - count, count);
    }

    /// <summary>Overwrites what was written, and begins anew.</summary>
    public void Clear()
    {
        CryptographicOperations.ZeroMemory(_bytes.AsSpan(0, Length));
        Length = 0;
    }

    public void Dispose() => Clear();
}
