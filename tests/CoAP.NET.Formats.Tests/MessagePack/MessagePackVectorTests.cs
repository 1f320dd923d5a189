using System.Buffers;
using System.Globalization;
using System.Numerics;
using System.Text;

namespace CoAP.Formats.Tests;

/// <summary>
/// Each form of the specification at its bounds, both ways. The bytes were computed by hand from the tables of the specification, those of the times
/// by the npm package @msgpack/msgpack, version 3.1.3.
/// </summary>
public sealed class MessagePackVectorTests
{
    private static readonly MessagePackFormat Format = new(PackedShapes.GeneratedTypeShapeProvider);

    /// <summary>Integers, and all forms that hold them: the shortest first, which is the one that is written.</summary>
    public static TheoryData<string, string> Integers => new()
    {
        { "0", "00 cc00 cd0000 ce00000000 cf0000000000000000 d000 d10000 d200000000 d30000000000000000" },
        { "1", "01 cc01 cd0001 ce00000001 cf0000000000000001 d001 d10001 d200000001 d30000000000000001" },
        { "127", "7f cc7f cd007f ce0000007f cf000000000000007f d07f d1007f d20000007f d3000000000000007f" },
        { "128", "cc80 cd0080 ce00000080 cf0000000000000080 d10080 d200000080 d30000000000000080" },
        { "255", "ccff cd00ff ce000000ff cf00000000000000ff d100ff d2000000ff d300000000000000ff" },
        { "256", "cd0100 ce00000100 cf0000000000000100 d10100 d200000100 d30000000000000100" },
        { "32767", "cd7fff ce00007fff cf0000000000007fff d17fff d200007fff d30000000000007fff" },
        { "32768", "cd8000 ce00008000 cf0000000000008000 d200008000 d30000000000008000" },
        { "65535", "cdffff ce0000ffff cf000000000000ffff d20000ffff d3000000000000ffff" },
        { "65536", "ce00010000 cf0000000000010000 d200010000 d30000000000010000" },
        { "2147483647", "ce7fffffff cf000000007fffffff d27fffffff d3000000007fffffff" },
        { "2147483648", "ce80000000 cf0000000080000000 d30000000080000000" },
        { "4294967295", "ceffffffff cf00000000ffffffff d300000000ffffffff" },
        { "4294967296", "cf0000000100000000 d30000000100000000" },
        { "9223372036854775807", "cf7fffffffffffffff d37fffffffffffffff" },
        { "9223372036854775808", "cf8000000000000000" },
        { "18446744073709551615", "cfffffffffffffffff" },
        { "-1", "ff d0ff d1ffff d2ffffffff d3ffffffffffffffff" },
        { "-32", "e0 d0e0 d1ffe0 d2ffffffe0 d3ffffffffffffffe0" },
        { "-33", "d0df d1ffdf d2ffffffdf d3ffffffffffffffdf" },
        { "-128", "d080 d1ff80 d2ffffff80 d3ffffffffffffff80" },
        { "-129", "d1ff7f d2ffffff7f d3ffffffffffffff7f" },
        { "-32768", "d18000 d2ffff8000 d3ffffffffffff8000" },
        { "-32769", "d2ffff7fff d3ffffffffffff7fff" },
        { "-2147483648", "d280000000 d3ffffffff80000000" },
        { "-2147483649", "d3ffffffff7fffffff" },
        { "-9223372036854775808", "d38000000000000000" },
    };

    [Theory, MemberData(nameof(Integers))]
    public void An_integer_is_written_in_its_shortest_form_and_read_in_each(string number, string forms)
    {
        var value = BigInteger.Parse(number, CultureInfo.InvariantCulture);
        var all = forms.Split(' ');

        if (value <= long.MaxValue) { Written((long)value).Should().Be(all[0]); }
        if (value >= 0) { Written((ulong)value).Should().Be(all[0]); }
        foreach (var form in all)
        {
            if (value <= long.MaxValue) { Read<long>(form).Should().Be((long)value, form); }
            else { FluentActions.Invoking(() => Read<long>(form)).Should().Throw<CoapPayloadException>().WithMessage("*out of range*"); }
            if (value >= 0) { Read<ulong>(form).Should().Be((ulong)value, form); }
            else { FluentActions.Invoking(() => Read<ulong>(form)).Should().Throw<CoapPayloadException>().WithMessage("*out of range*"); }
        }
    }

    [Theory]
    [InlineData(0.5, "cb3fe0000000000000 ca3f000000")]
    [InlineData(-1.5, "cbbff8000000000000 cabfc00000")]
    [InlineData(double.PositiveInfinity, "cb7ff0000000000000 ca7f800000")]
    [InlineData(double.NegativeInfinity, "cbfff0000000000000 caff800000")]
    [InlineData(0.1, "cb3fb999999999999a")]
    [InlineData(double.Epsilon, "cb0000000000000001")]
    [InlineData(double.MaxValue, "cb7fefffffffffffff")]
    public void A_number_keeps_all_bits(double value, string forms)
    {
        Written(value).Should().Be(forms.Split(' ')[0]);
        foreach (var form in forms.Split(' ')) { Read<double>(form).Should().Be(value, form); }
    }

    [Theory]
    [InlineData(0, "a0 d900 da0000 db00000000")]
    [InlineData(31, "bf d91f da001f db0000001f")]
    [InlineData(32, "d920 da0020 db00000020")]
    [InlineData(255, "d9ff da00ff db000000ff")]
    [InlineData(256, "da0100 db00000100")]
    [InlineData(65_535, "daffff db0000ffff")]
    [InlineData(65_536, "db00010000")]
    public void A_text_has_the_shortest_head_and_is_read_with_each(int length, string heads)
    {
        var text = new string('x', length);
        var content = Convert.ToHexStringLower(Encoding.UTF8.GetBytes(text));

        Written(text).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' ')) { Read<string>(head + content).Should().Be(text); }
    }

    [Theory]
    [InlineData(0, "c400 c50000 c600000000")]
    [InlineData(255, "c4ff c500ff c6000000ff")]
    [InlineData(256, "c50100 c600000100")]
    [InlineData(65_536, "c600010000")]
    public void Bytes_have_the_shortest_head_and_are_read_with_each(int length, string heads)
    {
        var bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        var content = Convert.ToHexStringLower(bytes);

        Written(bytes).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' ')) { Read<byte[]>(head + content).Should().Equal(bytes); }
    }

    [Theory]
    [InlineData(0, "90 dc0000 dd00000000")]
    [InlineData(15, "9f dc000f dd0000000f")]
    [InlineData(16, "dc0010 dd00000010")]
    [InlineData(65_536, "dd00010000")]
    public void An_array_has_the_shortest_head_and_is_read_with_each(int count, string heads)
    {
        var content = new string('0', 2 * count);

        Written(new int[count]).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' ')) { Read<int[]>(head + content).Should().Equal(new int[count]); }
    }

    [Theory]
    [InlineData(0, "80 de0000 df00000000")]
    [InlineData(1, "81 de0001 df00000001")]
    public void A_map_has_the_shortest_head_and_is_read_with_each(int count, string heads)
    {
        var content = count == 0 ? "" : "a16107";
        var expected = Enumerable.Range(0, count).ToDictionary(static _ => "a", static _ => 7);

        Written(expected).Should().Be(heads.Split(' ')[0] + content);
        foreach (var head in heads.Split(' ')) { Read<Dictionary<string, int>>(head + content).Should().Equal(expected); }
    }

    [Theory]
    [InlineData(0L, 0, "d6ff00000000")]
    [InlineData(0L, 100, "d7ff0000019000000000")]
    [InlineData(4294967295L, 0, "d6ffffffffff")]
    [InlineData(4294967296L, 0, "d7ff0000000100000000")]
    [InlineData(1700000000L, 123456700, "d7ff1d6f32f06553f100")]
    [InlineData(17179869184L, 0, "c70cff000000000000000400000000")]
    [InlineData(-1L, 0, "c70cff00000000ffffffffffffffff")]
    public void A_time_has_the_shortest_of_three_forms_and_is_read_back(long seconds, int nanoseconds, string expected)
    {
        var time = DateTimeOffset.FromUnixTimeSeconds(seconds).AddTicks(nanoseconds / 100).UtcDateTime;

        Written(time).Should().Be(expected);
        Read<DateTime>(expected).Should().Be(time);
    }

    [Fact]
    public void Nil_and_the_Boolean_values_have_one_byte()
    {
        Written(false).Should().Be("c2");
        Written(true).Should().Be("c3");
        Written<int?>(null).Should().Be("c0");
        Read<int?>("c0").Should().BeNull();
        Read<bool>("c3").Should().BeTrue();
    }

    private static string Written<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        Format.Write(output, value);
        return Convert.ToHexStringLower(output.WrittenSpan);
    }

    private static T Read<T>(string hex) => Format.Read<T>(Convert.FromHexString(hex));
}
