using System.Buffers.Binary;
using System.Security.Cryptography;
using CoAP.Options;

namespace CoAP.Tool.Serving;

/// <summary>The entity tag of a file (RFC 7252, section 5.10.6): a hash of its size and time, and of the content if it is short.</summary>
/// <remarks>
/// Some systems count file times in steps of several milliseconds. So two versions of a file may have the same size and time; those of short files, which are
/// written most often, still differ.
/// </remarks>
internal static class FileTag
{
    /// <summary>The largest file whose content counts, in bytes.</summary>
    public const int ShortFile = 4096;

    /// <summary>The length of a tag in bytes.</summary>
    public const int Length = 8;

    private const int Head = 2 * sizeof(long);

    /// <summary>Returns the tag of an open file. Its position is at the start afterwards.</summary>
    public static ETag Of(FileStream file)
    {
        var size = file.Length;
        Span<byte> bytes = stackalloc byte[Head + ShortFile];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, size);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[sizeof(long)..], File.GetLastWriteTimeUtc(file.SafeFileHandle).Ticks);
        var content = size is > 0 and <= ShortFile ? file.ReadAtLeast(bytes[Head..], (int)size, throwOnEndOfStream: false) : 0;
        file.Position = 0;
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(bytes[..(Head + content)], hash);
        return new ETag(hash[..Length].ToArray());
    }
}
