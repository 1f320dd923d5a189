using System.Buffers;
using System.Numerics;

namespace CoAP.Formats.Tests;

public sealed class CborWriterTests
{
    [Theory, Trait("RFC", "8949 4.1")]
    [InlineData(float.MaxValue, "fa7f7fffff"), InlineData(float.Epsilon, "fa00000001"), InlineData(65505f, "fa477fe100")]
    [InlineData(65520f, "fa477ff000"), InlineData(0.1f, "fa3dcccccd")]
    [InlineData(5.960464477539063e-8f, "f90001"), InlineData(2.9802322387695312e-8f, "fa33000000"), InlineData(-0f, "f98000")]
    [InlineData(float.NaN, "f97e00")]
    public void Writes_the_shortest_exact_number(float value, string expected)
    {
        CborVectorTests.Hex(writer => writer.WriteSingle(value)).Should().Be(expected);
        CborVectorTests.Hex(writer => writer.WriteDouble(value)).Should().Be(expected);
    }

    [Fact, Trait("RFC", "8949 4.1")]
    public void Writes_each_half_in_three_bytes()
    {
        for (var bits = 0; bits <= ushort.MaxValue; bits++)
        {
            var value = BitConverter.UInt16BitsToHalf((ushort)bits);
            var expected = Half.IsNaN(value) ? "f97e00" : $"f9{bits:x4}";

            if (CborVectorTests.Hex(writer => writer.WriteDouble((double)value)) != expected) { Assert.Fail(expected); }
        }
    }

    [Fact]
    public void Restores_each_number_exactly()
    {
        var random = new Random(754);
        for (var i = 0; i < 20_000; i++)
        {
            var value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue) << random.Next(64));
            var bytes = Convert.FromHexString(CborVectorTests.Hex(writer => writer.WriteDouble(value)));

            new CborReader(bytes).ReadDouble().Should().Be(value, "the seed is 754");
        }
    }

    [Fact, Trait("RFC", "8949 3.4.2")]
    public void Restores_each_time_exactly()
    {
        var random = new Random(1970);
        for (var i = 0; i < 20_000; i++)
        {
            var ticks = random.NextInt64(DateTimeOffset.MaxValue.Ticks);
            long[] units = [TimeSpan.TicksPerSecond, TimeSpan.TicksPerMillisecond, TimeSpan.TicksPerMicrosecond, 1];
            var unit = units[random.Next(4)];
            var value = new DateTimeOffset(ticks - (ticks % unit), TimeSpan.Zero);
            var bytes = Convert.FromHexString(CborVectorTests.Hex(writer => writer.WriteTimestamp(value)));

            new CborReader(bytes).ReadTimestamp().Should().Be(value, "the seed is 1970");
        }
    }

    [Theory, Trait("RFC", "8949 3.4.2")]
    [InlineData("2026-11-25T18:30:00Z", "c11a"), InlineData("1969-12-31T23:59:59Z", "c120")]
    [InlineData("2026-11-25T18:30:00.123456Z", "c1fb"), InlineData("2026-11-25T18:30:00.1234567Z", "c0781c")]
    public void Writes_a_time_in_the_shortest_exact_form(string time, string start)
    {
        CborVectorTests.Hex(writer => writer.WriteTimestamp(DateTimeOffset.Parse(time, null))).Should().StartWith(start);
    }

    [Fact]
    public void Restores_the_first_and_the_last_time()
    {
        DateTimeOffset[] times = [DateTimeOffset.MinValue, DateTimeOffset.MaxValue, DateTimeOffset.UnixEpoch, new(2026, 1, 1, 0, 0, 0, TimeSpan.FromHours(-9.5))];
        foreach (var value in times)
        {
            new CborReader(Convert.FromHexString(CborVectorTests.Hex(writer => writer.WriteTimestamp(value)))).ReadTimestamp().Should().Be(value);
        }
    }

    [Theory, Trait("RFC", "8949 3.3"), InlineData(24), InlineData(31)]
    public void Rejects_reserved_simple_values(byte value)
    {
        var write = () => CborVectorTests.Hex(writer => writer.WriteSimple(value));

        write.Should().Throw<ArgumentOutOfRangeException>().WithMessage($"The simple value is {value}; 24 to 31 are reserved*");
    }

    [Fact]
    public void Rejects_lone_surrogates_in_short_and_long_texts()
    {
        foreach (var text in (string[])["\ud800", "a\udc00b", new string('x', 1000) + "\ud800"])
        {
            var write = () => CborVectorTests.Hex(writer => writer.WriteText(text));

            write.Should().Throw<ArgumentException>();
        }
    }

    [Fact]
    public void Writes_texts_of_all_lengths_and_widths()
    {
        foreach (var character in (string[])["x", "\u00fc", "\u6c34", "\ud83d\ude00"])
        {
            for (var length = 0; length < 400; length++)
            {
                var text = string.Concat(Enumerable.Repeat(character, length));
                var reference = new System.Formats.Cbor.CborWriter();
                reference.WriteTextString(text);

                CborVectorTests.Hex(writer => writer.WriteText(text)).Should().Be(Convert.ToHexStringLower(reference.Encode()));
            }
        }
    }

    [Theory, InlineData(0), InlineData(-1)]
    public void Writes_big_integers_around_64_bits(int offset)
    {
        foreach (var value in (BigInteger[])[(BigInteger.One << 64) + offset, -(BigInteger.One << 64) + offset, -(BigInteger.One << 200), offset])
        {
            var reference = new System.Formats.Cbor.CborWriter();
            if (value >= -(BigInteger.One << 64) && value <= ulong.MaxValue) { Reference(reference, value); }
            else { reference.WriteBigInteger(value); }

            CborVectorTests.Hex(writer => writer.WriteBigInteger(value)).Should().Be(Convert.ToHexStringLower(reference.Encode()));
        }
    }

    [Theory, InlineData(1), InlineData(7), InlineData(300)]
    public void Writes_to_small_parts_of_a_buffer(int partSize)
    {
        var values = Enumerable.Range(-70_000, 140_000).Select(value => value * 31_337).ToArray();
        void Write(CborWriter writer)
        {
            writer.WriteInt32s(values);
            writer.WriteBytes(new byte[5000]);
            writer.WriteText(new string('\u6c34', 5000));
            writer.WriteText("short");
        }
        var output = new PartedOutput(partSize);
        var writer = new CborWriter(output);
        Write(writer);
        writer.Flush();

        Convert.ToHexStringLower(output.Written).Should().Be(CborVectorTests.Hex(Write));
    }

    private static void Reference(System.Formats.Cbor.CborWriter writer, BigInteger value)
    {
        if (value.Sign >= 0) { writer.WriteUInt64((ulong)value); }
        else { writer.WriteCborNegativeIntegerRepresentation((ulong)(-BigInteger.One - value)); }
    }

    // Gives the writer no more than it asks for, outside of arrays every second time.
    private sealed class PartedOutput(int partSize) : IBufferWriter<byte>
    {
        private readonly List<byte> _bytes = [];
        private Memory<byte> _part;

        internal byte[] Written => [.. _bytes];

        public void Advance(int count)
        {
            _bytes.AddRange(_part.Span[..count]);
            _part = default;
        }

        public Memory<byte> GetMemory(int sizeHint = 0)
        {
            var size = Math.Max(sizeHint, partSize);
            return _part = _bytes.Count % 2 == 0 ? new byte[size + 3].AsMemory(3) : new Unpinned(size).Memory;
        }

        public Span<byte> GetSpan(int sizeHint = 0) => GetMemory(sizeHint).Span;
    }

    private sealed class Unpinned(int size) : MemoryManager<byte>
    {
        private readonly byte[] _bytes = new byte[size];

        public override Span<byte> GetSpan() => _bytes;

        public override MemoryHandle Pin(int elementIndex = 0) => throw new NotSupportedException();

        public override void Unpin() { }

        protected override void Dispose(bool disposing) { }
    }
}
