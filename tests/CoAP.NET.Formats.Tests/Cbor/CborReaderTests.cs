using System.Numerics;

namespace CoAP.Formats.Tests;

public sealed class CborReaderTests
{
    [Theory, Trait("RFC", "8949 3"), InlineData("1800"), InlineData("190000"), InlineData("1a00000000"), InlineData("1b0000000000000000")]
    [InlineData("c24100"), InlineData("c240")]
    public void Accepts_integers_that_are_longer_than_necessary(string hex) => Reader(hex).ReadInt64().Should().Be(0);

    [Theory, Trait("RFC", "8949 3.1")]
    [InlineData("1b7fffffffffffffff", long.MaxValue)]
    [InlineData("3b7fffffffffffffff", long.MinValue)]
    [InlineData("c3477fffffffffffff", -0x80000000000000)]
    [InlineData("3818", -25)]
    [InlineData("37", -24)]
    public void Reads_integers_at_the_ends_of_each_length(string hex, long expected) => Reader(hex).ReadInt64().Should().Be(expected);

    [Theory]
    [InlineData("1b8000000000000000", "The integer is 9223372036854775808; -2^63 to 2^63 - 1 are allowed (at byte 0).")]
    [InlineData("3b8000000000000000", "The integer is -9223372036854775809; -2^63 to 2^63 - 1 are allowed (at byte 0).")]
    [InlineData("3bffffffffffffffff", "The integer is -18446744073709551616; -2^63 to 2^63 - 1 are allowed (at byte 0).")]
    [InlineData("c249010000000000000000", "The integer has more than 64 bits (at byte 0).")]
    [InlineData("6161", "Expected an integer; found a text (at byte 0).")]
    public void Says_why_an_integer_cannot_be_read(string hex, string message)
    {
        var read = () => Reader(hex).ReadInt64();

        read.Should().Throw<CoapPayloadException>().WithMessage(message).Which.Offset.Should().Be(0);
    }

    [Fact]
    public void Rejects_a_negative_integer_where_none_may_be()
    {
        var read = () => Reader("20").ReadUInt64();

        read.Should().Throw<CoapPayloadException>().WithMessage("The integer is -1; 0 to 2^64 - 1 are allowed (at byte 0).");
    }

    [Theory, Trait("RFC", "8949 5.5")]
    [InlineData("1bffffffffffffffff", 18446744073709551615.0)]
    [InlineData("3bffffffffffffffff", -18446744073709551616.0)]
    [InlineData("c249010000000000000000", 18446744073709551616.0)]
    [InlineData("f97bff", 65504.0)]
    [InlineData("d9ffffd8c8fa47c35000", 100000.0)]
    public void Reads_any_number_as_double(string hex, double expected) => Reader(hex).ReadDouble().Should().Be(expected);

    [Fact, Trait("RFC", "8949 3.4.3")]
    public void Reads_a_big_number_in_several_parts()
    {
        Reader("c25f41014800000000000000ffff").ReadBigInteger().Should().Be((BigInteger.One << 64) + 0xff);
    }

    [Theory, Trait("RFC", "8949 3.2.3"), Trait("RFC", "8949 5.3.1"), InlineData("7f61c361bcff"), InlineData("61c3"), InlineData("62c328"), InlineData("63eda080")]
    [InlineData("62c080")]
    public void Rejects_texts_that_are_not_utf8(string hex)
    {
        Action[] reads = [() => Reader(hex).ReadText(), () => Reader(hex).ReadUtf8(), () => Reader(hex).Skip()];

        foreach (var read in reads)
        {
            read.Should().Throw<CoapPayloadException>().WithMessage("The text is not valid UTF-8 (at byte *).").Which.Offset.Should().BePositive();
        }
    }

    [Fact, Trait("RFC", "8949 3.4.6")]
    public void Ignores_the_mark_of_cbor_at_the_start()
    {
        var reader = Reader("d9d9f701");

        reader.Peek().Should().Be(ItemKind.Integer);
        reader.ReadInt64().Should().Be(1);
        reader.ReadEnd();
    }

    [Fact, Trait("RFC", "8949 3.4")]
    public void Skips_tags_before_each_kind_of_item()
    {
        var reader = Reader("d820c501d8206161d820f5d82080d820a0d820f6d820f7d8204101d820f93c00d820f0");

        reader.ReadUInt64().Should().Be(1);
        reader.TryReadNull().Should().BeFalse();
        reader.ReadText().Should().Be("a");
        reader.ReadBoolean().Should().BeTrue();
        reader.ReadArrayStart().Should().Be(0);
        reader.MoveNext().Should().BeFalse();
        reader.ReadMapStart().Should().Be(0);
        reader.MoveNext().Should().BeFalse();
        reader.TryReadNull().Should().BeTrue();
        reader.TryReadUndefined().Should().BeTrue();
        reader.ReadBytes().Should().Equal(1);
        reader.ReadDouble().Should().Be(1);
        reader.ReadSimple().Should().Be(16);
        reader.ReadEnd();
    }

    [Theory, Trait("RFC", "8949 3.4.1")]
    [InlineData("2013-03-21T20:04:00Z", "2013-03-21T20:04:00.0000000+00:00")]
    [InlineData("2013-03-21t20:04:00.5z", "2013-03-21T20:04:00.5000000+00:00")]
    [InlineData("2013-03-21T22:04:00.123456789+02:00", "2013-03-21T22:04:00.1234567+02:00")]
    [InlineData("2013-03-21T00:04:00-20:00", "2013-03-21T20:04:00.0000000+00:00")]
    [InlineData("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.0000000+00:00")]
    public void Reads_times_as_texts(string text, string expected)
    {
        Timestamp(writer => writer.WriteText(text)).Should().Be(DateTimeOffset.Parse(expected, null));
    }

    [Theory, Trait("RFC", "8949 3.4.1")]
    [InlineData(""), InlineData("2013-03-21"), InlineData("2013-02-29T20:04:00Z"), InlineData("2013-03-21T24:00:00Z")]
    [InlineData("2013-03-21T20:04:00"), InlineData("2013-03-21T20:04:00.Z")]
    [InlineData("0000-03-21T20:04:00Z"), InlineData("0001-01-01T00:00:00+01:00"), InlineData("9999-12-31T23:59:60Z")]
    [InlineData("2013-03-21T20:04:00+24:00"), InlineData("2013-03-21 20:04:00Z"), InlineData("+013-03-21T20:04:00Z")]
    public void Rejects_texts_that_are_not_times(string text)
    {
        var read = () => Timestamp(writer => writer.WriteText(text));

        read.Should().Throw<CoapPayloadException>().WithMessage("The text is not a valid time from year 1 to 9999 (at byte 0).");
    }

    [Theory, Trait("RFC", "8949 3.4.2"), InlineData(double.NaN), InlineData(double.PositiveInfinity), InlineData(-62135596801.0)]
    [InlineData(253402300800.0)]
    public void Rejects_numbers_that_are_not_times(double seconds)
    {
        var read = () => Timestamp(writer => writer.WriteDouble(seconds), tag: 1);

        read.Should().Throw<CoapPayloadException>().WithMessage("The number is not a valid time from year 1 to 9999 (at byte 0).");
    }

    [Fact]
    public void Reads_many_integers_at_once()
    {
        int[] values = [0, 23, 24, 255, 256, 65535, 65536, int.MaxValue, -1, -24, -25, -256, -257, -65536, -65537, int.MinValue];
        var bytes = Convert.FromHexString("91" + CborVectorTests.Hex(writer => writer.WriteInt32s(values)) + "d82a07");
        var reader = new CborReader(bytes);
        var read = new int[20];

        reader.ReadArrayStart().Should().Be(17);
        reader.ReadInt32s(read.AsSpan(0, 3)).Should().Be(3);
        reader.ReadInt32s(read.AsSpan(3)).Should().Be(14);

        read.Should().Equal([.. values, 7, 0, 0, 0]);
        reader.ReadEnd();
    }

    [Fact]
    public void Takes_complete_integers_up_to_any_end()
    {
        int[] values = [1, -500, 70_000, 200, -1, int.MinValue, 24, -70_000];
        var bytes = Convert.FromHexString(CborVectorTests.Hex(writer => writer.WriteInt32s(values)));
        for (var length = 0; length <= bytes.Length; length++)
        {
            var reader = new CborReader(bytes.AsMemory(0, length));
            var taken = new int[10];
            var count = reader.TakeInt32s(taken);

            taken.Take(count).Should().Equal(values.Take(count));
            var expected = CborVectorTests.Hex(writer => writer.WriteInt32s(values.AsSpan(0, count)));
            Convert.ToHexStringLower(bytes.AsSpan(0, (int)reader.Offset)).Should().Be(expected);
            (length - reader.Offset).Should().BeLessThan(5);
        }
    }

    [Theory, InlineData("811a80000000"), InlineData("813a80000000"), InlineData("9f1a80000000ff"), InlineData("8161"), InlineData("81f6")]
    public void Rejects_items_that_are_not_integers_of_32_bits(string hex)
    {
        var reader = Reader(hex);
        reader.ReadArrayStart();
        var read = () => reader.ReadInt32s(new int[2]);

        read.Should().Throw<CoapPayloadException>();
    }

    [Fact]
    public void Rejects_bytes_after_the_value()
    {
        var reader = Reader("0001");
        reader.ReadInt64();
        var end = reader.ReadEnd;

        end.Should().Throw<CoapPayloadException>().WithMessage("The payload goes on for 1 bytes after its value (at byte 1).");
    }

    [Fact]
    public void Reads_a_part_of_an_array()
    {
        var reader = new CborReader(new byte[] { 0xff, 0x18, 0x2a, 0xff }.AsMemory(1, 2));

        reader.ReadInt64().Should().Be(42);
        reader.Offset.Should().Be(2);
        reader.Peek().Should().Be(ItemKind.End);
    }

    private static DateTimeOffset Timestamp(Action<CborWriter> write, ulong tag = 0)
    {
        var hex = CborVectorTests.Hex(writer => { writer.WriteTag(tag); write(writer); });
        return Reader(hex).ReadTimestamp();
    }

    private static CborReader Reader(string hex) => new(Convert.FromHexString(hex));
}
