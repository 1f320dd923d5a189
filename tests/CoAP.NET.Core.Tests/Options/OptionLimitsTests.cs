namespace CoAP.Options;

public class OptionLimitsTests
{
    public static TheoryData<string, Func<CoapOption>> Wrong => new()
    {
        { "Uri-Port over two bytes", () => new UriPort(65_536) },
        { "Content-Format over two bytes", () => new ContentFormat(65_536) },
        { "Accept over two bytes", () => new Accept(70_000) },
        { "Observe over three bytes", () => new Observe(1 << 24) },
        { "No-Response over one byte", () => new NoResponse(256) },
        { "Hop-Limit of zero", () => new HopLimit(0) },
        { "Hop-Limit over one byte", () => new HopLimit(256) },
        { "ETag without bytes", () => new ETag(default) },
        { "ETag of nine bytes", () => new ETag(new byte[9]) },
        { "If-Match of nine bytes", () => new IfMatch(new byte[9]) },
        { "Uri-Host without bytes", () => new UriHost("") },
        { "Uri-Path of 256 bytes", () => new UriPath(new string('a', 256)) },
        { "Uri-Path of 128 two-byte letters", () => new UriPath(new string('ä', 128)) },
        { "Uri-Path of a dot", () => new UriPath(".") },
        { "Location-Path of two dots", () => new LocationPath("..") },
        { "half of a surrogate pair", () => new UriQuery("\ud83d") },
        { "Proxy-Uri of 1035 bytes", () => new ProxyUri(new string('a', 1035)) },
        { "Block1 number over 20 bits", () => new Block1(1 << 20, false, 0) },
        { "Block2 size exponent of 8", () => new Block2(0, false, 8) },
        { "Extended-Token-Length under 8", () => new ExtendedTokenLength(7) },
        { "Extended-Token-Length over 65804", () => new ExtendedTokenLength(65_805) },
        { "an option number over 65535", () => new UnknownOption(65_536, default) },
        { "a negative option number", () => new UnknownOption(-1, default) },
        { "a value longer than the form can tell", () => new UnknownOption(65_535, new byte[65_805]) },
    };

    [Theory]
    [MemberData(nameof(Wrong))]
    [Trait("RFC", "7252 5.4.3")]
    public void Constructing_a_wrong_option_throws(string what, Func<CoapOption> create)
    {
        create.Should().Throw<ArgumentException>(what);
    }

    [Fact]
    public void Wrong_parts_of_a_block_are_named_with_what_is_allowed()
    {
        FluentActions.Invoking(static () => new Block2(-1, false, 0)).Should().Throw<ArgumentOutOfRangeException>().WithMessage("The block number is -1; 0 to 1048575*");
        FluentActions.Invoking(static () => new Block2(0, false, 64)).Should().Throw<ArgumentOutOfRangeException>().WithMessage("The size exponent is 64; 0 (16 bytes)*");
    }

    [Theory]
    [InlineData(11, "2e")]
    [InlineData(11, "2e2e")]
    [InlineData(8, "2e2e")]
    [InlineData(11, "c3")]
    [InlineData(3, "ff")]
    [InlineData(16, "00")]
    [Trait("RFC", "7252 5.4.3")]
    public void A_received_value_that_its_RFC_forbids_is_not_valid(int number, string value)
    {
        OptionRegistry.Default.TryFind(number, out var declaration).Should().BeTrue();

        declaration!.IsValid(Convert.FromHexString(value)).Should().BeFalse();
        declaration.Create(Convert.FromHexString(value)).Should().BeNull();
    }

    [Theory]
    [InlineData(7, null)]
    [InlineData(8, 8)]
    [InlineData(65_804, 65_804)]
    [InlineData(16_777_215, 65_804)]
    [Trait("RFC", "8974 2.2.1")]
    public void A_received_extended_token_length_is_ignored_below_8_and_cut_at_65804(int received, int? expected)
    {
        byte[] value = [(byte)(received >> 16), (byte)(received >> 8), (byte)received];

        var option = ExtendedTokenLength.Declaration.Create(value) as ExtendedTokenLength;

        ((int?)option?.Value).Should().Be(expected);
    }

    [Theory]
    [InlineData(0x00U, 0, false, 0)]
    [InlineData(0x0EU, 0, true, 6)]
    [InlineData(0x26U, 2, false, 6)]
    [InlineData(0xFFFFFFU, 1_048_575, true, 7)]
    [Trait("RFC", "7959 2.2")]
    public void A_block_value_holds_number_more_and_size(uint value, int number, bool hasMore, int exponent)
    {
        var block = new Block1(value);

        (block.BlockNumber, block.HasMore, block.SizeExponent).Should().Be((number, hasMore, exponent));
        new Block1(number, hasMore, exponent).Should().Be(block);
        new Block2(number, hasMore, exponent).Value.Should().Be(value);
    }
}
