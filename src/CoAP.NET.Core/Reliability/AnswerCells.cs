using System.Buffers.Binary;

namespace CoAP.Reliability;

/// <summary>The retained answers in one array: chains of cells of 32 bytes, of which 4 refer to the next cell.</summary>
/// <remarks>One array, because hundreds of thousands of small ones would slow down every garbage collection. It is created with the first answer.</remarks>
internal sealed class AnswerCells(int bytes)
{
    private const int CellSize = 32;
    private const int LinkSize = 4;
    private const int DataSize = CellSize - LinkSize;

    private byte[] _cells = [];
    private int _used;              // cells from here on were never used
    private int _free;              // the first freed cell + 1; 0 for none

    public int Capacity => bytes / CellSize;

    /// <summary>The number of free cells.</summary>
    public int Free { get; private set; } = bytes / CellSize;

    public static int CellsFor(int length) => (length + DataSize - 1) / DataSize;

    /// <summary>Stores bytes, for which there must be enough free cells, and returns the number of the first cell, starting at 1.</summary>
    public int Store(ReadOnlySpan<byte> data)
    {
        if (_cells.Length == 0) { _cells = new byte[Capacity * CellSize]; }
        Free -= CellsFor(data.Length);
        var first = 0;
        for (var end = data.Length; end > 0;)
        {
            var start = (end - 1) / DataSize * DataSize;
            var number = Take();
            var cell = Cell(number);
            BinaryPrimitives.WriteInt32LittleEndian(cell, first);
            data[start..end].CopyTo(cell[LinkSize..]);
            first = number;
            end = start;
        }
        return first;
    }

    public void Copy(int first, int length, Span<byte> destination)
    {
        while (length > 0)
        {
            var cell = Cell(first);
            var count = Math.Min(length, DataSize);
            cell.Slice(LinkSize, count).CopyTo(destination);
            destination = destination[count..];
            length -= count;
            first = BinaryPrimitives.ReadInt32LittleEndian(cell);
        }
    }

    public void Release(int first, int length)
    {
        var count = CellsFor(length);
        if (count == 0) { return; }
        Free += count;
        var last = Cell(first);
        for (var i = 1; i < count; i++) { last = Cell(BinaryPrimitives.ReadInt32LittleEndian(last)); }
        BinaryPrimitives.WriteInt32LittleEndian(last, _free);
        _free = first;
    }

    private Span<byte> Cell(int number) => _cells.AsSpan((number - 1) * CellSize, CellSize);

    private int Take()
    {
        if (_free == 0) { return ++_used; }
        var number = _free;
        _free = BinaryPrimitives.ReadInt32LittleEndian(Cell(number));
        return number;
    }
}
