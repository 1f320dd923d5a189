namespace CoAP.Messages;

public class CoapCodeTests
{
    public static TheoryData<CoapCode, string, byte> Registered => new()
    {
        { RequestCode.Get, "0.01", 0x01 },
        { RequestCode.Post, "0.02", 0x02 },
        { RequestCode.Put, "0.03", 0x03 },
        { RequestCode.Delete, "0.04", 0x04 },
        { RequestCode.Fetch, "0.05", 0x05 },
        { RequestCode.Patch, "0.06", 0x06 },
        { RequestCode.IPatch, "0.07", 0x07 },
        { ResponseCode.Created, "2.01", 0x41 },
        { ResponseCode.Content, "2.05", 0x45 },
        { ResponseCode.Continue, "2.31", 0x5F },
        { ResponseCode.Forbidden, "4.03", 0x83 },
        { ResponseCode.NotFound, "4.04", 0x84 },
        { ResponseCode.RequestEntityTooLarge, "4.13", 0x8D },
        { ResponseCode.UnsupportedContentFormat, "4.15", 0x8F },
        { ResponseCode.ProxyingNotSupported, "5.05", 0xA5 },
        { SignalCode.Csm, "7.01", 0xE1 },
        { SignalCode.Abort, "7.05", 0xE5 },
    };

    [Theory]
    [MemberData(nameof(Registered))]
    [Trait("RFC", "7252 12.1")]
    public void Has_the_registered_number_and_name(CoapCode code, string text, byte value)
    {
        code.ToString().Should().Be(text);
        code.Value.Should().Be(value);
    }

    [Fact]
    [Trait("RFC", "7252 3")]
    public void Belongs_to_exactly_one_kind()
    {
        for (var value = 0; value < 256; value++)
        {
            var code = new CoapCode((byte)value);
            var codeClass = value / 32;

            code.IsEmpty.Should().Be(value == 0);
            code.IsRequest.Should().Be(codeClass == 0 && value != 0);
            code.IsResponse.Should().Be(codeClass is 2 or 4 or 5);
            (code.IsSuccess, code.IsClientError, code.IsServerError).Should().Be((codeClass == 2, codeClass == 4, codeClass == 5));
            code.IsSignal.Should().Be(codeClass == 7);
            code.IsReserved.Should().Be(codeClass is 1 or 3 or 6);
        }
    }

    [Theory]
    [InlineData(8, 0)]
    [InlineData(-1, 0)]
    [InlineData(0, 32)]
    [InlineData(0, -1)]
    public void Refuses_parts_out_of_range(int codeClass, int detail)
    {
        var act = () => new CoapCode(codeClass, detail);

        act.Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    [Trait("RFC", "7252 5.1")]
    public void Safe_methods_only_retrieve_and_idempotent_ones_may_be_repeated()
    {
        var codes = Enumerable.Range(0, 256).Select(value => new CoapCode((byte)value)).ToList();

        codes.Where(code => code.IsSafe).Should().Equal(RequestCode.Get, RequestCode.Fetch);
        codes.Where(code => code.IsIdempotent).Should().BeEquivalentTo(
            [RequestCode.Get, RequestCode.Fetch, RequestCode.Put, RequestCode.Delete, RequestCode.IPatch]);
    }
}
