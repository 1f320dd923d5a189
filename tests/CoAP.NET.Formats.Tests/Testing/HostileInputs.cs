using CoAP.TestSupport;

namespace CoAP.Formats.Tests;

/// <summary>Feeds a decoder with broken documents and proves that it neither leaks exceptions nor allocates more than the input justifies.</summary>
internal static class HostileInputs
{
    private const int FixedBytes = 16 << 10;
    private const int BytesPerByte = 256;
    private const int MaxInput = 4096;

    // Bytes that mean much in CBOR, MessagePack, JSON or XML: huge lengths, deep nesting, ends without beginnings.
    private static readonly byte[] Telling =
    [
        0x00, 0x01, 0x17, 0x18, 0x1b, 0x1c, 0x1f, 0x3b, 0x3f, 0x5b, 0x5f, 0x7a, 0x7b, 0x7d, 0x7f, 0x80, 0x81, 0x9a, 0x9b, 0x9f, 0xa1, 0xba, 0xbf,
        0xc0, 0xc1, 0xc2, 0xc6, 0xc9, 0xcf, 0xd7, 0xd9, 0xdb, 0xdd, 0xdf, 0xe0,
        0xf4, 0xf6, 0xf8, 0xfb, 0xff, 0x22, 0x2c, 0x3a, 0x3c, 0x3e, 0x26, 0x5c, 0x65,
    ];

    /// <summary>The number of inputs: 20,000, or 10,000,000 if the environment variable COAP_TESTS is "full".</summary>
    internal static int Count { get; } = TestLevel.IsFull ? 10_000_000 : 20_000;

    /// <summary>Reads mutations and splices of valid documents, and random bytes.</summary>
    /// <param name="valid">The valid documents. Each is read once first, so that one-time allocations are not counted.</param>
    /// <param name="read">Reads one document. May throw <see cref="CoapPayloadException"/> and nothing else.</param>
    /// <param name="seed">The seed of the inputs. It is part of the message of a failure.</param>
    /// <param name="count">The number of inputs. Default: <see cref="Count"/>.</param>
    /// <param name="fixedBytes">The allocations that each input may cause, besides 256 bytes for each of its bytes. Default: 16 KiB.</param>
    internal static void Run(IReadOnlyList<byte[]> valid, Action<byte[]> read, int seed, int? count = null, int fixedBytes = FixedBytes) =>
        Run(valid, (input, _) => read(input), seed, count, fixedBytes);

    /// <summary>The same, for several ways to read: the number of the input selects one.</summary>
    internal static void Run(IReadOnlyList<byte[]> valid, Action<byte[], int> read, int seed, int? count = null, int fixedBytes =
        FixedBytes)
    {
        var random = new Random(seed);
        WarmUp(valid, read);
        for (var i = 0; i < (count ?? Count); i++)
        {
            var input = Next(random, valid);
            var most = fixedBytes + ((long)BytesPerByte * input.Length);
            var allocated = Measure(read, input, i, seed);
            // The second time, caches are full: a collection may have emptied a pool of buffers.
            if (allocated > most) { allocated = Measure(read, input, i, seed); }
            if (allocated > most)
            {
                throw new InvalidOperationException(
                    $"Input {i} of seed {seed} has {input.Length} bytes and caused {allocated} bytes of allocations: {Convert.ToHexString(input)}");
            }
        }
    }

    /// <summary>Creates one broken document.</summary>
    internal static byte[] Next(Random random, IReadOnlyList<byte[]> valid)
    {
        var kind = valid.Count == 0 ? 9 : random.Next(10);
        return kind switch
        {
            < 6 => Mutate(random, valid[random.Next(valid.Count)]),
            < 8 => Mutate(random, Splice(random, valid[random.Next(valid.Count)], valid[random.Next(valid.Count)])),
            8 => TellingBytes(random),
            _ => RandomBytes(random),
        };
    }

    private static long Measure(Action<byte[], int> read, byte[] input, int number, int seed)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        try { read(input, number); }
        catch (CoapPayloadException) { }
        catch (Exception exception)
        {
            throw new InvalidOperationException(
                $"Input {number} of seed {seed} caused {exception.GetType()}: {Convert.ToHexString(input)}", exception);
        }
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static void WarmUp(IReadOnlyList<byte[]> valid, Action<byte[], int> read)
    {
        byte[][] broken = [[], [0xff], [0x7f, 0x00], [0xc1]];
        var number = 0;
        foreach (var document in valid.Concat(broken))
        {
            for (var i = 0; i < 2; i++)
            {
                try { read(document, number++); }
                catch (CoapPayloadException) { }
            }
        }
    }

    private static byte[] Splice(Random random, byte[] first, byte[] second)
    {
        var head = first.AsSpan(0, random.Next(first.Length + 1));
        var tail = second.AsSpan(random.Next(second.Length + 1));
        return [.. head[..Math.Min(head.Length, MaxInput)], .. tail[..Math.Min(tail.Length, MaxInput)]];
    }

    private static byte[] Mutate(Random random, byte[] document)
    {
        var bytes = new List<byte>(document);
        for (var changes = random.Next(1, 5); changes > 0; changes--) { Change(random, bytes); }
        return [.. bytes];
    }

    private static void Change(Random random, List<byte> bytes)
    {
        var place = random.Next(bytes.Count + 1);
        var value = random.Next(2) == 0 ? Telling[random.Next(Telling.Length)] : (byte)random.Next(256);
        switch (random.Next(6))
        {
            case 0 when place < bytes.Count: bytes.RemoveAt(place); break;
            case 1: bytes.RemoveRange(place, bytes.Count - place); break;
            case 2 when place < bytes.Count: bytes[place] ^= (byte)(1 << random.Next(8)); break;
            case 3: bytes.Insert(place, value); break;
            case 4: bytes.InsertRange(place, Enumerable.Repeat(value, random.Next(1, 80))); break;
            default:
                if (place < bytes.Count) { bytes[place] = value; }
                break;
        }
    }

    private static byte[] TellingBytes(Random random)
    {
        var bytes = new byte[random.Next(200)];
        for (var i = 0; i < bytes.Length; i++) { bytes[i] = Telling[random.Next(Telling.Length)]; }
        return bytes;
    }

    private static byte[] RandomBytes(Random random)
    {
        var bytes = new byte[random.Next(100)];
        random.NextBytes(bytes);
        return bytes;
    }
}
