using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Tests.Lanes;

/// <summary>The cache lines that objects lie on right now. Hold them only as long as no garbage is collected.</summary>
/// <remarks>
/// The runtime tells addresses and sizes to nobody, so they are read where it keeps them: a reference points behind eight bytes of the object's own, to the address of its type, which has the size of
/// an element in its first two bytes and that of an object without elements in its second four.
/// </remarks>
internal static class CacheLine
{
    private const int Size = 64;
    private const int LargeObject = 85_000;

    /// <summary>All lines from the first byte to the last; none of what is so large that only its ends could meet anything else.</summary>
    public static IEnumerable<nint> Of(object item)
    {
        var start = Unsafe.As<object, nint>(ref item);
        var type = item.GetType().TypeHandle.Value;
        var size = (long)Marshal.ReadInt32(type, sizeof(int)) - IntPtr.Size;
        if (item is Array array) { size += (long)(ushort)Marshal.ReadInt16(type) * array.Length; }
        if (size >= LargeObject) { yield break; }
        for (var line = start / Size; line <= (start + size - 1) / Size; line++) { yield return line; }
    }
}
