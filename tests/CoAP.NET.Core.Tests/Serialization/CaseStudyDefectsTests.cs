using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Three defects that the case study's own published rewrite had; each test is named after one.</summary>
public class CaseStudyDefectsTests
{
    [Theory]
    [InlineData(0U, "")]
    [InlineData(1U, "01")]
    [InlineData(2U, "02")]
    [InlineData(12U, "0c")]
    [InlineData(13U, "0d")]
    [InlineData(128U, "80")]
    [InlineData(255U, "ff")]
    [InlineData(256U, "0100")]
    [InlineData(268U, "010c")]
    [InlineData(269U, "010d")]
    [InlineData(512U, "0200")]
    [InlineData(65_535U, "ffff")]
    [InlineData(65_536U, "010000")]
    [InlineData(16_777_215U, "ffffff")]
    [InlineData(16_777_216U, "01000000")]
    [InlineData(2_147_483_648U, "80000000")]
    [InlineData(4_294_967_295U, "ffffffff")]
    [Trait("RFC", "7252 3.2")]
    public void A_uint_whose_value_is_a_power_of_two_hung_the_parser(uint value, string bytes)
    {
        var option = Convert.FromHexString(bytes);
        byte[] expected = [.. Hex.Bytes("40 01 0000"), (byte)(0xD0 | option.Length), 0x01, .. option];

        var written = CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = [new MaxAge(value)] });

        written.Should().Equal(expected);
        CoapMessageSerializer.Datagram.Deserialize(expected).Options.Get<MaxAge>()!.Value.Should().Be(value);
    }

    [Fact]
    [Trait("RFC", "7252 3.2")]
    public void Every_power_of_two_and_its_neighbours_read_back_as_written()
    {
        for (var bit = 0; bit < 32; bit++)
        {
            foreach (var value in new[] { (1U << bit) - 1, 1U << bit, (1U << bit) + 1 })
            {
                var written = CoapMessageSerializer.Stream.Serialize(new() { Code = RequestCode.Get, Options = [new Size1(value)] });

                CoapMessageSerializer.Stream.Deserialize(written).Options.Get<Size1>()!.Value.Should().Be(value);
            }
        }
    }

    [Fact]
    public void Payload_and_opaque_values_came_out_byte_reversed()
    {
        var bytes = Hex.Bytes("""
            40 01 0000              # CON GET
            43 010203               # ETag
            d3 eb 0a0b0c            # Echo (252 = 4 + 13 + 235)
            ff 0001020304050607     # the payload
            """);

        var message = CoapMessageSerializer.Datagram.Deserialize(bytes);

        message.Options.Get<ETag>()!.Value.ToArray().Should().Equal(1, 2, 3);
        message.Options.Get<Echo>()!.Value.ToArray().Should().Equal(10, 11, 12);
        message.Payload.ToArray().Should().Equal(0, 1, 2, 3, 4, 5, 6, 7);
        var options = OptionSet.Create([new ETag(new byte[] { 1, 2, 3 }), new Echo(new byte[] { 10, 11, 12 })]);
        CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = options, Payload = message.Payload }).Should().Equal(bytes);
    }

    [Fact]
    [Trait("RFC", "7252 3.1")]
    public void Extended_deltas_were_subtracted()
    {
        var bytes = Hex.Bytes("""
            40 01 0000     # CON GET
            b1 61          # Uri-Path (11): a
            d1 03 0e       # Block1 (27 = 11 + 13 + 3): 0, more, 1024
            d1 14 05       # Size1 (60 = 27 + 13 + 20): 5
            d2 b3 0102     # Echo (252 = 60 + 13 + 179)
            """);
        OptionSet options = [new UriPath("a"), new Block1(0, true, 6), new Size1(5), new Echo(new byte[] { 1, 2 })];

        var written = CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = options });

        Hex.Text(written).Should().Be(Hex.Text(bytes));
        CoapMessageSerializer.Datagram.Deserialize(bytes).Options.Cast<CoapOption>().Should().Equal(options.Cast<CoapOption>());
    }

    [Theory]
    [InlineData(12, 12, "cc")]
    [InlineData(13, 13, "dd 00 00")]
    [InlineData(268, 268, "dd ff ff")]
    [InlineData(269, 269, "ee 0000 0000")]
    [InlineData(65_535, 65_804, "ee fef2 ffff")]
    [Trait("RFC", "7252 3.1")]
    public void Deltas_and_lengths_at_the_boundaries_of_the_format(int number, int length, string head)
    {
        var option = new UnknownOption(number, Enumerable.Repeat((byte)0x5A, length).ToArray());

        var written = CoapMessageSerializer.Datagram.Serialize(new() { Code = RequestCode.Get, Options = [option] });

        written.Should().Equal([.. Hex.Bytes("40 01 0000"), .. Hex.Bytes(head), .. option.Value.ToArray()]);
        CoapMessageSerializer.Datagram.Deserialize(written).Options.TryGetValue(number, out var value).Should().BeTrue();
        value.SequenceEqual(option.Value.Span).Should().BeTrue();
    }
}
