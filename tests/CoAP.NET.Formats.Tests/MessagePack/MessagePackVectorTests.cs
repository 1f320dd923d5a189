using System.Globalization;
using System.Numerics;

namespace CoAP.Formats.Tests;

/// <summary>
/// Each format of the specification at its bounds, both ways. The bytes were computed by hand from the tables of the specification.
/// </summary>
public sealed class MessagePackVectorTests
{
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

        if (value <= long.MaxValue) { MessagePackDocument.WriteHex(writer => writer.WriteInt64((long)value)).Should().Be(all[0]); }
        if (value >= 0) { MessagePackDocument.WriteHex(writer => writer.WriteUInt64((ulong)value)).Should().Be(all[0]); }
        if (value >= int.MinValue && value <= int.MaxValue)
        {
            MessagePackDocument.WriteHex(writer => writer.WriteInt32s([(int)value])).Should().Be(all[0]);
        }
        foreach (var form in all)
        {
            MessagePackDocument.ReadHex(form, MessagePackTree.Read).Should().Be(number, form);
            MessagePackDocument.ReadHex(form, static reader => reader.ReadDouble()).Should().Be(value > 0 ? (ulong)value : (long)value, form);
            MessagePackDocument.ReadHex(form, static reader => reader.Peek() is ItemKind.Integer && Skip(reader)).Should().BeTrue(form);
        }
    }

    [Theory, MemberData(nameof(Integers))]
    public void An_integer_has_one_value_whatever_method_reads_it(string number, string forms)
    {
        var value = BigInteger.Parse(number, CultureInfo.InvariantCulture);
        foreach (var form in forms.Split(' '))
        {
            if (value <= long.MaxValue) { MessagePackDocument.ReadHex(form, static reader => reader.ReadInt64()).Should().Be((long)value, form); }
            else { MessagePackDocument.Refuse(form, static reader => reader.ReadInt64()).Should().Contain(number).And.EndWith("(at byte 0)."); }
            if (value >= 0) { MessagePackDocument.ReadHex(form, static reader => reader.ReadUInt64()).Should().Be((ulong)value, form); }
            else { MessagePackDocument.Refuse(form, static reader => reader.ReadUInt64()).Should().Contain(number).And.Contain("negative"); }
        }
    }

    [Fact]
    public void Nil_and_the_Boolean_values_have_one_byte()
    {
        MessagePackDocument.WriteHex(static writer => writer.WriteNull()).Should().Be("c0");
        MessagePackDocument.WriteHex(static writer => writer.WriteBoolean(false)).Should().Be("c2");
        MessagePackDocument.WriteHex(static writer => writer.WriteBoolean(true)).Should().Be("c3");
        MessagePackDocument.ReadHex("c0", static reader => reader.TryReadNull()).Should().BeTrue();
        MessagePackDocument.ReadHex("c2", static reader => reader.ReadBoolean()).Should().BeFalse();
        MessagePackDocument.ReadHex("c3", static reader => !reader.TryReadNull() && reader.ReadBoolean()).Should().BeTrue();
    }

    [Theory]
    [InlineData(0.0, "ca00000000 cb0000000000000000")]
    [InlineData(-0.0, "ca80000000 cb8000000000000000")]
    [InlineData(0.5, "ca3f000000 cb3fe0000000000000")]
    [InlineData(-1.5, "cabfc00000 cbbff8000000000000")]
    [InlineData(double.PositiveInfinity, "ca7f800000 cb7ff0000000000000")]
    [InlineData(double.NegativeInfinity, "caff800000 cbfff0000000000000")]
    [InlineData(float.MaxValue, "ca7f7fffff cb47efffffe0000000")]
    [InlineData(float.Epsilon, "ca00000001 cb36a0000000000000")]
    [InlineData(0.1, "cb3fb999999999999a")]
    [InlineData(1e300, "cb7e37e43c8800759c")]
    [InlineData(double.Epsilon, "cb0000000000000001")]
    [InlineData(double.MaxValue, "cb7fefffffffffffff")]
    public void A_number_is_written_with_32_bits_if_that_is_exact(double value, string forms)
    {
        var all = forms.Split(' ');

        MessagePackDocument.WriteHex(writer => writer.WriteDouble(value)).Should().Be(all[0]);
        if (all.Length > 1) { MessagePackDocument.WriteHex(writer => writer.WriteSingle((float)value)).Should().Be(all[0]); }
        foreach (var form in all)
        {
            MessagePackDocument.ReadHex(form, static reader => MessagePackTree.Float(reader.ReadDouble())).Should().Be(MessagePackTree.Float(value));
            MessagePackDocument.Refuse(form, static reader => reader.ReadInt64()).Should().Contain("Expected an integer; found a number");
        }
    }

    [Theory]
    [InlineData("7ff8000000000000", "ca7fc00000")]
    [InlineData("fff8000000000000", "caffc00000")]
    [InlineData("7ff8000020000000", "ca7fc00001")]
    [InlineData("7ff8000000000001", "cb7ff8000000000001")]
    public void NaN_keeps_its_bits(string bits, string expected)
    {
        var value = BitConverter.UInt64BitsToDouble(Convert.ToUInt64(bits, 16));

        MessagePackDocument.WriteHex(writer => writer.WriteDouble(value)).Should().Be(expected);
        MessagePackDocument.ReadHex(expected, static reader => MessagePackTree.Float(reader.ReadDouble())).Should().Be($"f{bits}");
    }

    private static bool Skip(MessagePackReader reader)
    {
        reader.Skip();
        return true;
    }
}
