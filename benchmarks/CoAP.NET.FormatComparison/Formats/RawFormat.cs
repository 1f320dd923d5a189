using System.Runtime.InteropServices;

namespace CoAP.FormatComparison.Formats;

/// <summary>The baseline: copies the memory of the values.</summary>
internal sealed class RawFormat<T>() : PayloadFormat<T[]>(ContentFormats.OctetStream, FormatNames.Bytes)
    where T : unmanaged
{
    protected override void Write(IBufferWriter<byte> output, T[] value) => output.Write(MemoryMarshal.AsBytes(value.AsSpan()));

    protected override T[] Read(ReadOnlyMemory<byte> payload)
    {
        var values = GC.AllocateUninitializedArray<T>(payload.Length / Marshal.SizeOf<T>());
        payload.Span.CopyTo(MemoryMarshal.AsBytes(values.AsSpan()));
        return values;
    }
}
