using System.Numerics;

namespace CoAP.Blockwise;

/// <summary>Which blocks of a body are there: a bit each.</summary>
internal sealed class BlockMap(int count)
{
    private readonly ulong[] _bits = new ulong[(count + 63) / 64];

    /// <summary>How many blocks the body has.</summary>
    public int Count { get; } = count;

    /// <summary>How many of them are there.</summary>
    public int Present { get; private set; }

    /// <summary>The first one that is not there; <see cref="Count"/> where none is missing.</summary>
    public int FirstMissing { get; private set; }

    /// <summary>The last one that is there, or -1.</summary>
    public int Highest { get; private set; } = -1;

    public bool IsComplete => Present == Count;

    /// <summary>Enters a block; not if it is there already.</summary>
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

    /// <summary>The first missing block from here on; <see cref="Count"/> where none is.</summary>
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
    // A multiple of each block size: a block never lies in two pieces.
    private const int PieceSize = 16 << 10;

    private readonly byte[]?[] _pieces = new byte[]?[(length + PieceSize - 1) / PieceSize];

    /// <summary>The memory that was taken, in bytes.</summary>
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

    /// <summary>The whole, once all of it is there. The pieces go.</summary>
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
