using System.Buffers;
using System.IO.Pipelines;

namespace CoAP.Benchmarks;

/// <summary>Counts how buffers grow when bytes come in small pieces, as from a serializer that does not measure first.</summary>
internal static class BufferGrowth
{
    private const int PieceLength = 8;

    public static void WriteInPieces(IBufferWriter<byte> writer, ReadOnlySpan<byte> bytes, Action? afterPiece = null)
    {
        while (!bytes.IsEmpty)
        {
            var piece = bytes[..Math.Min(PieceLength, bytes.Length)];
            piece.CopyTo(writer.GetSpan(piece.Length));
            writer.Advance(piece.Length);
            bytes = bytes[piece.Length..];
            afterPiece?.Invoke();
        }
    }

    /// <summary>Returns the buffers taken, the bytes copied, and the bytes held in the end.</summary>
    public static Table Count()
    {
        var table = new Table("growth", "bytes", "buffer", "buffers taken", "bytes copied", "bytes held");
        foreach (var size in (int[])[50, 1_000, 100_000, 1_000_000, 10_000_000])
        {
            var bytes = new byte[size];
            table.Add($"{size}", "exact", "1", "0", $"{size}");
            using var growing = new GrowingWriter();
            WriteInPieces(growing, bytes);
            table.Add($"{size}", "growing, pooled", $"{growing.Growths}", $"{growing.Copied}", $"{growing.WrittenSpan.Length + growing.GetSpan().Length}");
            CountArray(table, bytes);
            CountPipe(table, bytes);
        }
        return table;
    }

    private static void CountArray(Table table, byte[] bytes)
    {
        var writer = new ArrayBufferWriter<byte>();
        var (taken, copied, capacity, written) = (0, 0L, 0, 0);
        WriteInPieces(writer, bytes, () =>
        {
            if (writer.Capacity != capacity) { (taken, copied) = (taken + 1, copied + written); }
            (capacity, written) = (writer.Capacity, writer.WrittenCount);
        });
        table.Add($"{bytes.Length}", "ArrayBufferWriter", $"{taken}", $"{copied}", $"{writer.Capacity}");
    }

    private static void CountPipe(Table table, byte[] bytes)
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 0));
        WriteInPieces(pipe.Writer, bytes);
        pipe.Writer.Complete();
        pipe.Reader.TryRead(out var result);
        var segments = 0;
        foreach (var _ in result.Buffer) { segments++; }
        table.Add($"{bytes.Length}", "Pipe", $"{segments}", "0", $"{result.Buffer.Length}");
        pipe.Reader.Complete();
    }
}
