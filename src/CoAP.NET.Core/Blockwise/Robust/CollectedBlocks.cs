using System.Numerics;

namespace CoAP.Blockwise;

/// <summary>The blocks of a body that have arrived: one bit per block.</summary>
internal sealed class BlockMap(int count)
{
    private readonly ulong[] _bits = new ulong[(count + 63) / 64];

    /// <summary>The number of blocks of the body.</summary>
    public int Count { get; } = count;

    /// <summary>The number of blocks that have arrived.</summary>
    public int Present { get; private set; }

    /// <summary>The first missing block, or <see cref="Count"/> if none is missing.</summary>
    public int FirstMissing { get; private set; }

    /// <summary>The last block that has arrived, or -1.</summary>
    public int Highest { get; private set; } = -1;

    public bool IsComplete => Present == Count;

    /// <summary>Adds a block. Returns <see langword="false"/> if it has arrived before.</summary>
    public bool TryAdd(int number)
    {
        ref var word = ref _bits[number >> 6];
        var bit = 1UL << (number & 63);
        if ((word & bit) != 0) { return false; }
        word |= bit;
        Present++;
        Highest = Math.Max(Highest, number);
        if (number == FirstMissing) { FirstMissing = NextMissing(number + 1); }
        return true;
    }

    /// <summary>Returns the first missing block from a position on, or <see cref="Count"/> if there is none.</summary>
    public int NextMissing(int from)
    {
        for (var index = from >> 6; index < _bits.Length; index++)
        {
            var absent = ~_bits[index];
            if (index == from >> 6) { absent &= ulong.MaxValue << (from & 63); }
            if (absent != 0) { return Math.Min((index << 6) + BitOperations.TrailingZeroCount(absent), Count); }
        }
        return Count;
    }
}
internal sealed class SparseBody(int length)
{
    // A multiple of every block size, so that no block spans two pieces.
    private const int PieceSize = 16 << 10;

    private readonly byte[]?[] _pieces = new byte[]?[(length + PieceSize - 1) / PieceSize];

    /// <summary>The allocated memory in bytes.</summary>
    public long Held { get; private set; } = (length + PieceSize - 1) / PieceSize * (long)IntPtr.Size;

    public void Write(int offset, ReadOnlySpan<byte> bytes)
    {
        if (bytes.IsEmpty) { return; }
        var index = offset / PieceSize;
        var piece = _pieces[index];
        if (piece is null)
        {
            piece = _pieces[index] = GC.AllocateUninitializedArray<byte>(Math.Min(PieceSize, length - (index * PieceSize)));
            Held += piece.Length;
        }
        bytes.CopyTo(piece.AsSpan(offset - (index * PieceSize)));
    }

    /// <summary>Returns the complete body and releases the pieces.</summary>
    public byte[] Take()
    {
        if (_pieces.Length == 1) { return _pieces[0]!; }
        var whole = GC.AllocateUninitializedArray<byte>(length);
        for (var index = 0; index < _pieces.Length; index++)
        {
            _pieces[index]!.CopyTo(whole.AsSpan(index * PieceSize));
            _pieces[index] = null;
        }
        return whole;
    }
}
