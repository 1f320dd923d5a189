using System.Buffers;

namespace CoAP.Serialization;

/// <summary>Cuts bytes into the segments of a sequence, with an empty one in between.</summary>
internal sealed class Segments : ReadOnlySequenceSegment<byte>
{
    public static ReadOnlySequence<byte> Of(byte[] bytes, int length)
    {
        var first = new Segments();
        var last = first;
        for (var position = 0; position < bytes.Length; position += length)
        {
            last = last.Append(bytes.AsMemory(position, Math.Min(length, bytes.Length - position)));
            if (position == 0) { last = last.Append(default); }
        }
        return new ReadOnlySequence<byte>(first, 0, last, last.Memory.Length);
    }

    private Segments Append(ReadOnlyMemory<byte> memory)
    {
        var next = new Segments { Memory = memory, RunningIndex = RunningIndex + Memory.Length };
        Next = next;
        return next;
    }
}
