namespace CoAP.Formats.Tests;

/// <summary>Large arrays, item by item.</summary>
public sealed class MessagePackStreamTests
{
    private const int Seed = 8949, Count = 3000;

    private static readonly MessagePackFormat Format = new(PayloadContracts.Builtin);

    [Theory, InlineData(1), InlineData(5), InlineData(1000), InlineData(100_000)]
    public void Integers_are_the_same_however_the_bytes_arrive(int piece)
    {
        var random = new Random(Seed);
        var values = Enumerable.Range(0, Count).Select(_ => random.Next(int.MinValue, int.MaxValue) >> random.Next(32)).ToArray();
        using var stream = new MemoryStream();

        Format.WriteItems(stream, values, values.Length);

        PlainMessagePack.Describe(stream.ToArray()).Should().Be($"[{string.Join(",", values)}]");
        Format.Read<int[]>(stream.ToArray()).Should().Equal(values, $"the seed is {Seed}");
        Format.ReadItems<int>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
        Format.ReadArray<int>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
    }

    [Theory, InlineData(1), InlineData(7), InlineData(100_000)]
    public void Texts_are_the_same_however_the_bytes_arrive(int piece)
    {
        var random = new Random(Seed);
        var values = Enumerable.Range(0, Count).Select(_ => new string('ä', random.Next(random.Next(50) == 0 ? 20_000 : 40))).ToArray();
        using var stream = new MemoryStream();

        Format.WriteItems(stream, values.Where(static _ => true), values.Length);

        stream.ToArray().Should().Equal(MessagePackDocument.Write(writer => WriteAll(writer, values)));
        Format.ReadItems<string>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
        Format.ReadList<string>(new Pieces(stream.ToArray(), piece)).Should().Equal(values);
    }

    [Theory]
    [InlineData("", "(at byte 0).")]
    [InlineData("81a16101", "Expected an array; found a map (at byte 0).")]
    [InlineData("dc00", "needs 3 bytes or more, but only 2 are left (at byte 0).")]
    [InlineData("930102", "(at byte 3).")]
    [InlineData("930102cd01", "needs 3 bytes or more, but only 2 are left (at byte 3).")]
    [InlineData("930102a0", "Expected an integer; found a text (at byte 3).")]
    [InlineData("930102c1", "The byte 0xc1 is never used in MessagePack (at byte 3).")]
    [InlineData("9301020304", "goes on after the end of the array (at byte 4).")]
    [InlineData("ddffffffff010203", "(at byte 8).")]
    public void A_stream_that_is_not_one_array_is_refused(string hex, string message)
    {
        foreach (var piece in (int[])[1, 100])
        {
            FluentActions.Invoking(() => Format.ReadItems<int>(new Pieces(Convert.FromHexString(hex), piece)).Count())
                .Should().Throw<CoapPayloadException>().WithMessage($"*{message}");
        }
    }

    private static void WriteAll(MessagePackWriter writer, string[] values)
    {
        writer.WriteArrayStart(values.Length);
        foreach (var value in values) { writer.WriteText(value); }
    }

    // Gives at most a few bytes at a time.
    private sealed class Pieces(byte[] content, int most) : MemoryStream(content)
    {
        public override bool CanSeek => false;

        public override int Read(Span<byte> buffer) => base.Read(buffer[..Math.Min(most, buffer.Length)]);
    }
}
