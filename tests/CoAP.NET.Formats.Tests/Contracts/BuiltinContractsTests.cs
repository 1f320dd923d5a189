using System.Globalization;
using System.Reflection;
using CoAP.Formats.Contracts;

namespace CoAP.Formats.Tests;

public sealed class BuiltinContractsTests
{
    private static readonly CborFormat Format = new(PayloadContracts.Builtin);

    public static TheoryData<object> Values => new()
    {
        true, (sbyte)-128, (byte)255, short.MinValue, ushort.MaxValue, int.MinValue, uint.MaxValue, long.MinValue, ulong.MaxValue,
        1.5f, float.MinValue, double.NaN, double.Epsilon, decimal.MinValue, 12.50m, "text", "", 'ä',
        Guid.Parse("00112233-4455-6677-8899-aabbccddeeff"), new DateOnly(2026, 2, 28),
        new TimeOnly(23, 59, 59, 500), TimeOnly.MaxValue, TimeSpan.FromSeconds(30), TimeSpan.FromMilliseconds(-1.5),
        TimeSpan.MaxValue, TimeSpan.MinValue,
        new TimeSpan(123_456_789_012_345_678), new Uri("coap://host/path?q"), new Uri("/relative", UriKind.Relative),
        new DateTimeOffset(2026, 2, 28, 12, 0, 0, TimeSpan.Zero).AddTicks(1), DateTimeOffset.MaxValue,
        DateTime.UnixEpoch.AddTicks(-1), DateTime.MinValue,
    };

    [Theory]
    [MemberData(nameof(Values))]
    public void Values_are_read_as_they_were(object value) => Check((dynamic)value);

    [Fact]
    public void Collections_are_read_as_they_were()
    {
        RoundTrip<int[]>([1, 2, -3]).Should().Equal(1, 2, -3);
        RoundTrip<List<int>>([1, 2, -3]).Should().Equal(1, 2, -3);
        RoundTrip<IReadOnlyList<string>>(["a", "b"]).Should().Equal("a", "b");
        RoundTrip<double[]>([]).Should().BeEmpty();
        RoundTrip(new Dictionary<string, bool> { ["a"] = true }).Should().Equal(new Dictionary<string, bool> { ["a"] = true });
        RoundTrip<byte[]>([1, 2]).Should().Equal(1, 2);
        RoundTrip<ReadOnlyMemory<byte>>(new byte[] { 7 }).ToArray().Should().Equal(7);
        RoundTrip<long?>(null).Should().BeNull();
        RoundTrip<Guid?>(Guid.Empty).Should().Be(Guid.Empty);
    }

    [Theory]
    [InlineData("12.50", "6531322E3530")]
    [InlineData("-0.1", "642D302E31")]
    public void A_decimal_number_is_a_text_with_all_its_digits(string value, string hex) =>
        Convert.ToHexString(Write(decimal.Parse(value, CultureInfo.InvariantCulture))).Should().Be(hex);

    [Fact]
    public void Texts_are_those_of_Json()
    {
        Write(Guid.Parse("00112233-4455-6677-8899-aabbccddeeff")).Should().Equal([0x78, 36, .. "00112233-4455-6677-8899-aabbccddeeff"u8]);
        Write(new DateOnly(2026, 2, 28)).Should().Equal([0x6A, .. "2026-02-28"u8]);
        Write(new TimeOnly(23, 59, 59)).Should().Equal([0x68, .. "23:59:59"u8]);
        Write(new Uri("coap://h")).Should().Equal([0x68, .. "coap://h"u8]);
    }

    [Fact]
    public void A_duration_is_a_number_of_seconds_if_that_is_exact()
    {
        Write(TimeSpan.FromMinutes(1)).Should().Equal(0x18, 60);
        Write(TimeSpan.FromSeconds(1.5)).Should().Equal(0xF9, 0x3E, 0x00);
        Write(new TimeSpan(123_456_789_012_345_678)).Should().Equal([0x77, .. "142889.19:15:01.2345678"u8]);
    }

    [Fact]
    public void Local_and_unspecified_times_become_utc()
    {
        var unspecified = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Unspecified);
        RoundTrip(unspecified).Should().Be(DateTime.SpecifyKind(unspecified, DateTimeKind.Utc)).And.BeIn(DateTimeKind.Utc);
        var local = new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Local);
        RoundTrip(local).Should().Be(local.ToUniversalTime());
    }

    [Theory]
    [InlineData(128L, typeof(sbyte), "The number 128 is out of range; -128 to 127 are allowed (at byte 0).")]
    [InlineData(-1L, typeof(byte), "The number -1 is out of range; 0 to 255 are allowed (at byte 0).")]
    [InlineData(32768L, typeof(short), "The number 32768 is out of range; -32768 to 32767 are allowed (at byte 0).")]
    [InlineData(65536L, typeof(ushort), "The number 65536 is out of range; 0 to 65535 are allowed (at byte 0).")]
    [InlineData(2147483648L, typeof(int), "The number 2147483648 is out of range; -2147483648 to 2147483647 are allowed (at byte 0).")]
    [InlineData(4294967296L, typeof(uint), "The number 4294967296 is out of range; 0 to 4294967295 are allowed (at byte 0).")]
    [InlineData(922337203686L, typeof(TimeSpan),
        "A duration of 922337203686 s is out of range; -922337203685 s to 922337203685 s are allowed (at byte 0).")]
    public void Numbers_out_of_range_are_errors(long number, Type type, string message) =>
        FluentActions.Invoking(() => Read(Write(number), type)).Should().Throw<CoapPayloadException>().WithMessage(message);

    [Theory]
    [InlineData("", typeof(char))]
    [InlineData("ab", typeof(char))]
    [InlineData("0011", typeof(Guid))]
    [InlineData("2026-2-3", typeof(DateOnly))]
    [InlineData("25:00:00", typeof(TimeOnly))]
    [InlineData("1,5", typeof(decimal))]
    [InlineData("1e30", typeof(decimal))]
    [InlineData("later", typeof(TimeSpan))]
    [InlineData("yesterday", typeof(DateTimeOffset))]
    [InlineData("http://[", typeof(Uri))]
    public void Texts_of_another_form_are_errors(string text, Type type) =>
        FluentActions.Invoking(() => Read(Write(text), type))
            .Should().Throw<CoapPayloadException>().WithMessage("The text \"*\" is not a * (at byte 0).");

    [Fact]
    public void A_finite_number_does_not_become_infinite()
    {
        FluentActions.Invoking(() => Format.Read<float>(Write(1e300)))
            .Should().Throw<CoapPayloadException>().WithMessage("The number 1E+300 is out of range*");
        FluentActions.Invoking(() => Format.Read<decimal>(Write(1e300))).Should().Throw<CoapPayloadException>();
        FluentActions.Invoking(() => Format.Read<TimeSpan>(Write(double.NaN))).Should().Throw<CoapPayloadException>();
        Format.Read<float>(Write(double.PositiveInfinity)).Should().Be(float.PositiveInfinity);
    }

    [Fact]
    public void Times_are_read_from_texts_and_decimals_from_numbers()
    {
        Format.Read<DateTimeOffset>(Write("2026-02-28T13:00:00.5+01:00")).Should().Be(new DateTimeOffset(2026, 2, 28, 12, 0, 0, 500, TimeSpan.Zero));
        Format.Read<decimal>(Write(5L)).Should().Be(5m);
        Format.Read<decimal>(Write(0.5)).Should().Be(0.5m);
    }

    [Theory]
    [InlineData("1.50", 15_000_000L), InlineData("-0.0000001", -1L), InlineData(" 1e1 ", 100_000_000L)]
    [InlineData("922337203685.4775807", long.MaxValue)]
    [InlineData("-922337203685.4775808", long.MinValue), InlineData("00:00:01.5", 15_000_000L), InlineData("7", 70_000_000L)]
    public void A_duration_may_be_a_number_as_text_in_any_form(string text, long ticks) =>
        Format.Read<TimeSpan>(Write(text)).Should().Be(new TimeSpan(ticks));

    [Theory, InlineData("1.50", 1.5), InlineData(" 1.50 ", 1.5), InlineData("1E0", 1.0), InlineData("001", 1.0)]
    [InlineData("0.12345670000000000", 0.1234567)]
    public void A_number_as_text_may_have_any_form(string text, double expected)
    {
        Format.Read<TimeSpan>(Write(text)).Should().Be(TimeSpan.FromSeconds(expected));
        Format.Read<decimal>(Write(text)).Should().Be((decimal)expected);
    }

    [Theory, InlineData("922337203685.4775808"), InlineData("1e20"), InlineData("1e99999"), InlineData("NaN"), InlineData("")]
    [InlineData("1:"), InlineData("1.5s")]
    public void Texts_that_are_no_durations_are_errors(string text) => FluentActions.Invoking(() => Format.Read<TimeSpan>(Write(text)))
        .Should().Throw<CoapPayloadException>().WithMessage($"The text \"{text}\" is not a duration (at byte 0).");

    [Fact]
    public void A_text_in_an_error_is_not_cut_off_inside_of_a_character()
    {
        var message = Assert.Throws<CoapPayloadException>(() => Format.Read<Guid>(Write(new string('x', 39) + "\U0001F600" + "rest"))).Message;

        message.Should().Be($"The text \"{new string('x', 39)}...\" is not a GUID (at byte 0).");
        ContractErrors.UnknownName("Level", new string('x', 39) + "\U0001F600", 0).Message.Should().NotContain("\ud83d");
    }

    [Fact]
    public void Null_is_not_written_for_references()
    {
        FluentActions.Invoking(() => Write<string>(null!)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => Write<byte[]>(null!)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => Write<List<string>>(null!)).Should().Throw<ArgumentNullException>();
        FluentActions.Invoking(() => Write<string[]>(["a", null!])).Should().Throw<ArgumentNullException>();
    }

    private static void Check<T>(T value) => RoundTrip(value).Should().Be(value);

    private static T RoundTrip<T>(T value) => Format.Read<T>(Write(value));

    private static byte[] Write<T>(T value)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        Format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    private static void Read(byte[] payload, Type type)
    {
        var method = typeof(CborFormat).GetMethods().Single(method => method.Name == nameof(CborFormat.Read));
        method.MakeGenericMethod(type).Invoke(Format, BindingFlags.DoNotWrapExceptions, null, [new ReadOnlyMemory<byte>(payload)], null);
    }
}
