namespace CoAP.Formats.Tests;

/// <summary>The extension type -1. The bytes of the valid ones are those of the npm package @msgpack/msgpack, version 3.1.3.</summary>
public sealed class MessagePackTimestampTests
{
    [Theory]
    [InlineData(0L, 0, "d6ff00000000")]
    [InlineData(0L, 100, "d7ff0000019000000000")]
    [InlineData(1L, 0, "d6ff00000001")]
    [InlineData(4294967295L, 0, "d6ffffffffff")]
    [InlineData(4294967296L, 0, "d7ff0000000100000000")]
    [InlineData(4294967295L, 999999900, "d7ffee6b2670ffffffff")]
    [InlineData(1700000000L, 123456700, "d7ff1d6f32f06553f100")]
    [InlineData(17179869183L, 999999900, "d7ffee6b2673ffffffff")]
    [InlineData(17179869184L, 0, "c70cff000000000000000400000000")]
    [InlineData(17179869184L, 100, "c70cff000000640000000400000000")]
    [InlineData(-1L, 0, "c70cff00000000ffffffffffffffff")]
    [InlineData(-1L, 999999900, "c70cff3b9ac99cffffffffffffffff")]
    [InlineData(-62135596800L, 0, "c70cff00000000fffffff1886e0900")]
    [InlineData(253402300799L, 999999900, "c70cff3b9ac99c0000003afff4417f")]
    public void A_time_has_the_shortest_of_three_forms_and_is_read_back(long seconds, int nanoseconds, string expected)
    {
        var time = DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(nanoseconds / 100);

        MessagePackDocument.WriteHex(writer => writer.WriteTimestamp(time)).Should().Be(expected);
        MessagePackDocument.WriteHex(writer => writer.WriteTimestamp(Elsewhere(time))).Should().Be(expected);
        MessagePackDocument.ReadHex(expected, static reader => reader.ReadTimestamp()).Should().Be(time);
        new MessagePackReader(Convert.FromHexString(expected)).Peek().Should().Be(ItemKind.Timestamp);
    }

    [Theory]
    [InlineData("c704ff00000001", 1, 0)]
    [InlineData("c8000cff000000000000000000000001", 1, 0)]
    [InlineData("d7ff0000000000000001", 1, 0)]
    [InlineData("c90000000cff0000000affffffffffffffff", -1, 0)]
    [InlineData("d7ff0000018c00000000", 0, 0)]
    [InlineData("d7ff0000019400000000", 0, 1)]
    public void Longer_forms_are_read_and_parts_of_100_ns_are_cut_off(string hex, long seconds, int ticks) =>
        MessagePackDocument.ReadHex(hex, static reader => reader.ReadTimestamp())
            .Should().Be(DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(ticks));

    [Theory]
    [InlineData("d7ffee6b280000000000", "1000000000 nanoseconds; at most 999999999")]
    [InlineData("d7ffffffffffffffffff", "1073741823 nanoseconds; at most 999999999")]
    [InlineData("c70cff3b9aca000000000000000000", "1000000000 nanoseconds; at most 999999999")]
    [InlineData("c70cff000000000000003afff44180", "253402300800 seconds after 1970; -62135596800 to 253402300799")]
    [InlineData("c70cff00000000fffffff1886e08ff", "-62135596801 seconds after 1970; -62135596800 to 253402300799")]
    [InlineData("c70cff000000007fffffffffffffff", "9223372036854775807 seconds")]
    [InlineData("c70cff000000008000000000000000", "-9223372036854775808 seconds")]
    [InlineData("c700ff", "0 bytes of data; 4, 8 or 12")]
    [InlineData("c705ff0000000000", "5 bytes of data; 4, 8 or 12")]
    [InlineData("d60100000000", "found an extension of type 1")]
    [InlineData("00", "Expected an extension; found an integer")]
    public void A_time_that_is_malformed_or_out_of_range_is_refused(string hex, string message) =>
        MessagePackDocument.Refuse(hex, static reader => reader.ReadTimestamp()).Should().Contain(message).And.EndWith("(at byte 0).");

    [Fact]
    public void Random_times_survive()
    {
        const int Seed = 16;
        var random = new Random(Seed);
        for (var i = 0; i < 2000; i++)
        {
            var time = new DateTimeOffset(random.NextInt64(DateTimeOffset.MaxValue.Ticks), TimeSpan.Zero);
            var hex = MessagePackDocument.WriteHex(writer => writer.WriteTimestamp(time));
            MessagePackDocument.ReadHex(hex, static reader => reader.ReadTimestamp()).Should().Be(time, $"of input {i} of seed {Seed}");
        }
    }

    private static DateTimeOffset Elsewhere(DateTimeOffset time)
    {
        var offset = time.Year < 5000 ? TimeSpan.FromHours(5) : TimeSpan.FromHours(-5);
        return time.ToOffset(offset);
    }
}
