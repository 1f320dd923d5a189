using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace CoAP.Formats;

/// <summary>
/// The part of an output that a writer is filling. The output is advanced only in <see cref="Flush"/> and when the part is full.
/// </summary>
internal struct CborOutput(IBufferWriter<byte> output)
{
    private const int LeastPart = 256;

    private IBufferWriter<byte> _output = output;
    private int _start;
    private byte[]? _ownPart;

    /// <summary>The bytes. Those from <see cref="Position"/> to <see cref="End"/> are free.</summary>
    internal byte[] Part = [];
    internal int Position;
    internal int End;

    /// <summary>The number of bytes that can be written without another call of <see cref="Reserve"/>.</summary>
    internal readonly int Free => End - Position;

    /// <summary>Starts again with another output, and forgets bytes that were not flushed.</summary>
    internal void Reset(IBufferWriter<byte> output)
    {
        _output = output;
        Part = [];
        _start = Position = End = 0;
    }

    /// <summary>Makes sure that a number of bytes is free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Reserve(int count)
    {
        if (End - Position < count) { Grow(count); }
    }

    /// <summary>Writes bytes.</summary>
    internal void Write(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length <= Free)
        {
            bytes.CopyTo(Part.AsSpan(Position));
            Position += bytes.Length;
            return;
        }
        while (!bytes.IsEmpty)
        {
            Reserve(Math.Min(bytes.Length, LeastPart));
            var step = Math.Min(bytes.Length, Free);
            bytes[..step].CopyTo(Part.AsSpan(Position));
            Position += step;
            bytes = bytes[step..];
        }
    }

    /// <summary>Hands the written bytes to the output.</summary>
    internal void Flush()
    {
        var written = Position - _start;
        if (written > 0)
        {
            if (ReferenceEquals(Part, _ownPart))
            {
                Part.AsSpan(_start, written).CopyTo(_output.GetSpan(written));
            }
            _output.Advance(written);
        }
        Part = [];
        _start = Position = End = 0;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Grow(int count)
    {
        Flush();
        var size = Math.Max(count, LeastPart);
        if (MemoryMarshal.TryGetArray<byte>(_output.GetMemory(size), out var segment) && segment.Count >= size)
        {
            Part = segment.Array!;
            _start = Position = segment.Offset;
            End = segment.Offset + segment.Count;
            return;
        }
        // The memory is not in an array: write to an array of our own, and copy.
        if (_ownPart is null || _ownPart.Length < size) { _ownPart = new byte[Math.Max(size, 4096)]; }
        Part = _ownPart;
        End = Part.Length;
    }
}
