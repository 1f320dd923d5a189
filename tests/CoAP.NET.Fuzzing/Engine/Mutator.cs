using System.Buffers.Binary;

namespace CoAP.Fuzzing.Engine;

/// <summary>Makes a new input from one or two known ones.</summary>
internal sealed class Mutator(Random random, FuzzTarget target)
{
    private static readonly byte[] Edges = [0x00, 0x01, 0x0C, 0x0D, 0x0E, 0x0F, 0x10, 0x3F, 0x40, 0x7F, 0x80, 0xC0, 0xD0, 0xE0, 0xF0, 0xFE, 0xFF];
    private static readonly ushort[] WideEdges = [0, 1, 0x7FFF, 0x8000, 0xFFFF, 0xFEF2, 0xFEF3, 268, 269, 1024, 1152];

    private const int MaxSteps = 64;

    public FuzzInput Mutate(FuzzInput input, FuzzInput other)
    {
        List<byte[]> steps = [.. input.Steps];
        for (var times = 1 + random.Next(1 << random.Next(4)); times > 0; times--) { MutateOnce(steps, other); }
        while (steps.Sum(step => step.Length) > target.MaxLength) { Shorten(steps); }
        return new FuzzInput(steps);
    }

    private void MutateOnce(List<byte[]> steps, FuzzInput other)
    {
        if (steps.Count == 0) { steps.Add([]); }
        if (random.Next(5) == 0) { MutateList(steps, other); }
        if (steps.Count == 0) { return; }
        var at = random.Next(steps.Count);
        var donor = other.Steps.Count == 0 ? [] : other.Steps[random.Next(other.Steps.Count)];
        steps[at] = MutateBytes(steps[at], donor);
    }

    private void MutateList(List<byte[]> steps, FuzzInput other)
    {
        var at = random.Next(steps.Count);
        switch (random.Next(6))
        {
            case 0:
                steps.RemoveAt(at);
                break;
            case 1:
                steps.Insert(at, steps[at]);
                break;
            case 2:
                var to = random.Next(steps.Count);
                (steps[at], steps[to]) = (steps[to], steps[at]);
                break;
            case 3 when other.Steps.Count > 0:
                steps.Insert(at, other.Steps[random.Next(other.Steps.Count)]);
                break;
            case 4:
                var cut = random.Next(other.Steps.Count + 1);
                steps.RemoveRange(at, steps.Count - at);
                steps.AddRange(other.Steps.Skip(cut));
                break;
            default:
                steps.InsertRange(at, Enumerable.Repeat(steps[at], random.Next(1, 5)));
                break;
        }
        if (steps.Count > MaxSteps) { steps.RemoveRange(MaxSteps, steps.Count - MaxSteps); }
    }

    private byte[] MutateBytes(byte[] bytes, byte[] donor)
    {
        if (bytes.Length == 0) { return donor.Length > 0 ? donor : [(byte)random.Next(256)]; }
        var at = random.Next(bytes.Length);
        var length = Math.Min(1 + random.Next(1 << random.Next(7)), bytes.Length - at);
        return random.Next(14) switch
        {
            0 => Set(bytes, at, (byte)(bytes[at] ^ (1 << random.Next(8)))),
            1 => Set(bytes, at, (byte)random.Next(256)),
            2 => Set(bytes, at, Edges[random.Next(Edges.Length)]),
            3 => Set(bytes, at, (byte)(bytes[at] + random.Next(-2, 3))),
            // A nibble is a length or a delta wherever an option or a header begins.
            4 => Set(bytes, at, (byte)((bytes[at] & 0x0F) | (random.Next(16) << 4))),
            5 => Set(bytes, at, (byte)((bytes[at] & 0xF0) | random.Next(16))),
            6 => [.. bytes[..at], .. bytes[(at + length)..]],
            7 => [.. bytes[..(at + length)], .. bytes[at..]],
            8 => [.. bytes[..at], .. Noise(), .. bytes[at..]],
            9 => [.. bytes[..at], .. Word(), .. bytes[at..]],
            10 => [.. bytes[..at], .. donor[random.Next(donor.Length + 1)..]],
            11 => bytes[..at],
            12 => SetWide(bytes, at),
            _ => Overwrite(bytes, at, Word()),
        };
    }

    private byte[] Word() => target.Dictionary.Count == 0 ? Noise() : target.Dictionary[random.Next(target.Dictionary.Count)];

    private byte[] Noise()
    {
        var noise = new byte[1 + random.Next(1 << random.Next(6))];
        random.NextBytes(noise);
        return noise;
    }

    private byte[] SetWide(byte[] bytes, int at)
    {
        if (at + 2 > bytes.Length) { return Set(bytes, at, 0xFF); }
        var changed = bytes.ToArray();
        BinaryPrimitives.WriteUInt16BigEndian(changed.AsSpan(at), WideEdges[random.Next(WideEdges.Length)]);
        return changed;
    }

    private void Shorten(List<byte[]> steps)
    {
        var at = random.Next(steps.Count);
        if (steps.Count > 1 && random.Next(2) == 0) { steps.RemoveAt(at); }
        else { steps[at] = steps[at][..(steps[at].Length / 2)]; }
    }

    private static byte[] Set(byte[] bytes, int at, byte value)
    {
        var changed = bytes.ToArray();
        changed[at] = value;
        return changed;
    }

    private static byte[] Overwrite(byte[] bytes, int at, byte[] word) =>
        [.. bytes[..at], .. word, .. bytes[Math.Min(at + word.Length, bytes.Length)..]];
}
