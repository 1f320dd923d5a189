using System.Buffers;
using System.Globalization;
using System.IO.Pipelines;
using CoAP.Measurements.Reporting;

namespace CoAP.Benchmarks.Serialization.Writing;

/// <summary>Bytes written option by option, as a serializer does that does not measure before.</summary>
internal static class Pieces
{
    private const int Length = 8;

    public static void Write(IBufferWriter<byte> writer, ReadOnlySpan<byte> bytes)
    {
        while (!bytes.IsEmpty)
        {
            var piece = bytes[..Math.Min(Length, bytes.Length)];
            piece.CopyTo(writer.GetSpan(piece.Length));
            writer.Advance(piece.Length);
            bytes = bytes[piece.Length..];
        }
    }

    /// <summary>How the buffers grow, counted: new buffers, bytes copied for them, and what is held at the end.</summary>
    public static Table Growth()
    {
        var table = new Table("growth", "bytes", "buffer", "buffers taken", "bytes copied", "bytes held");
        foreach (var size in (int[])[50, 1_000, 100_000, 1_000_000, 10_000_000])
        {
            var bytes = new byte[size];
            table.Add(Text(size), "exact", "1", "0", Text(size));
            using var growing = new GrowingWriter();
            Write(growing, bytes);
            table.Add(Text(size), "growing, pooled", Text(growing.Growths), Text(growing.Copied), Text(growing.WrittenSpan.Length + growing.GetSpan().Length));
            AddArray(table, bytes);
            AddPipe(table, bytes);
        }
        return table;
    }

    private static void AddArray(Table table, ReadOnlySpan<byte> bytes)
    {
        var writer = new ArrayBufferWriter<byte>();
        var (taken, copied) = (0, 0L);
        while (!bytes.IsEmpty)
        {
            var (capacity, written, piece) = (writer.Capacity, writer.WrittenCount, Math.Min(Length, bytes.Length));
            writer.GetSpan(piece);
            if (writer.Capacity != capacity) { (taken, copied) = (taken + 1, copied + written); }
            writer.Advance(piece);
            bytes = bytes[piece..];
        }
        table.Add(Text(writer.WrittenCount), "ArrayBufferWriter", Text(taken), Text(copied), Text(writer.Capacity));
    }

    private static void AddPipe(Table table, byte[] bytes)
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
        Write(pipe.Writer, bytes);
        pipe.Writer.Complete();
        pipe.Reader.TryRead(out var result);
        var (segments, held) = (0, 0L);
        foreach (var segment in result.Buffer)
        {
            segments++;
            held += segment.Length;
        }
        pipe.Reader.Complete();
        table.Add(Text(bytes.Length), "Pipe", Text(segments), "0", Text(held));
    }

    private static string Text(long value) => value.ToString(CultureInfo.InvariantCulture);
}
