using CoAP.Formats.Contracts;

namespace CoAP.Formats.Tests;

public sealed class CborValidityTests
{
    [Theory, Trait("RFC", "8949 5.3"), Trait("RFC", "8949 5.3.1"), Trait("RFC", "8949 5.6")]
    [InlineData("a2616101616102", 4), InlineData("a26161017f6161ff02", 4), InlineData("a261610178016102", 4), InlineData("bf616101d820616102ff", 4)]
    [InlineData("a360006161016000", 6)]
    public void Rejects_a_text_as_key_that_is_there_twice_in_whatever_form(string hex, int offset)
    {
        var format = new CborFormat(PayloadContracts.Builtin);
        var read = () => format.Read<Dictionary<string, int>>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>().WithMessage($"The map has a key twice (at byte {offset}).");
    }

    [Theory, Trait("RFC", "8949 5.3.1"), Trait("RFC", "8949 5.6")]
    [InlineData("a201000100"), InlineData("a20100180100"), InlineData("a20100c2410100"), InlineData("a220003b000000000000000000")]
    public void Rejects_an_integer_as_key_that_is_there_twice_in_whatever_form(string hex)
    {
        var integers = PayloadContracts.Builtin.Find<int>()!;
        var read = () => new DictionaryContract<int, int>(integers, integers).Read(new CborReader(Convert.FromHexString(hex)));

        read.Should().Throw<CoapPayloadException>().WithMessage("The map has a key twice (at byte *).");
    }

    [Theory, Trait("RFC", "8949 5.3.1"), InlineData("a161c300"), InlineData("a1616162c328"), InlineData("bf7f61c361bcff00ff")]
    public void Rejects_keys_and_values_that_are_not_utf8(string hex)
    {
        var read = () => new CborFormat(PayloadContracts.Builtin).Read<Dictionary<string, string>>(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>().WithMessage("The text is not valid UTF-8 (at byte *).");
    }

    [Theory, Trait("RFC", "8949 3.4.2")]
    [InlineData("c100", "1970-01-01T00:00:00.0000000+00:00")]
    [InlineData("c120", "1969-12-31T23:59:59.0000000+00:00")]
    [InlineData("c1f9b800", "1969-12-31T23:59:59.5000000+00:00")]
    [InlineData("c1fa3f800000", "1970-01-01T00:00:01.0000000+00:00")]
    [InlineData("c1fb41d452d9ec200000", "2013-03-21T20:04:00.5000000+00:00")]
    [InlineData("c11b0000003afff4417f", "9999-12-31T23:59:59.0000000+00:00")]
    [InlineData("c13b0000000e7791f6ff", "0001-01-01T00:00:00.0000000+00:00")]
    [InlineData("c1fb424d7ffa20bfffff", "9999-12-31T23:59:59.9999690+00:00")]
    [InlineData("c1fbc22cef23ee000000", "0001-01-01T00:00:00.0000000+00:00")]
    public void Reads_integers_and_floating_point_numbers_as_times(string hex, string expected)
    {
        var reader = new CborReader(Convert.FromHexString(hex));

        reader.Peek().Should().Be(ItemKind.Timestamp);
        reader.ReadTimestamp().ToString("O").Should().Be(expected);
    }

    [Theory, Trait("RFC", "8949 3.4.2"), InlineData("c11b0000003afff44180"), InlineData("c13b0000000e7791f700"), InlineData("c11bffffffffffffffff")]
    [InlineData("c13bffffffffffffffff"), InlineData("c1f97c00"), InlineData("c1f9fc00"), InlineData("c1f97e00"), InlineData("c1fb7fefffffffffffff")]
    public void Rejects_times_outside_of_the_calendar(string hex)
    {
        var read = () => new CborReader(Convert.FromHexString(hex)).ReadTimestamp();

        read.Should().Throw<CoapPayloadException>().WithMessage("The number is not a valid time from year 1 to 9999 (at byte 0).");
    }

    [Theory, Trait("RFC", "8949 3.4.2"), InlineData("c16130"), InlineData("c14101"), InlineData("c1c24101"), InlineData("c18100"), InlineData("c1f6")]
    [InlineData("c1f4"), InlineData("c1f820"), InlineData("c1ff"), InlineData("c1")]
    public void Rejects_times_that_are_not_numbers(string hex)
    {
        var read = () => new CborReader(Convert.FromHexString(hex)).ReadTimestamp();

        read.Should().Throw<CoapPayloadException>();
    }

    [Fact, Trait("RFC", "8949 D")]
    public void Decodes_all_numbers_of_16_bits_like_the_code_of_the_appendix()
    {
        for (var bits = 0; bits <= ushort.MaxValue; bits++)
        {
            var (exponent, mantissa) = ((bits >> 10) & 0x1f, bits & 0x3ff);
            var magnitude = exponent switch
            {
                0 => Math.ScaleB(mantissa, -24),
                31 => mantissa == 0 ? double.PositiveInfinity : double.NaN,
                _ => Math.ScaleB(mantissa + 1024, exponent - 25),
            };
            var expected = (bits & 0x8000) != 0 ? -magnitude : magnitude;
            var read = new CborReader(new byte[] { 0xf9, (byte)(bits >> 8), (byte)bits }).ReadDouble();

            if (!read.Equals(expected)) { throw new InvalidOperationException($"0xf9{bits:x4} was read as {read}, not {expected}."); }
            var written = CborVectorTests.Hex(writer => writer.WriteDouble(read));
            var preferred = double.IsNaN(read) ? "f97e00" : $"f9{bits:x4}";
            if (written != preferred) { throw new InvalidOperationException($"0xf9{bits:x4} became {written}."); }
        }
    }
}
