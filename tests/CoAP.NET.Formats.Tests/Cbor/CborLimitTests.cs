namespace CoAP.Formats.Tests;

public sealed class CborLimitTests
{
    private static readonly PayloadLimits Limits = new() { MaxDepth = 3, MaxLength = 4, MaxCount = 5, MaxSize = 12 };

    [Theory]
    [InlineData("818180"), InlineData("c1c100"), InlineData("c181c100"), InlineData("9fa0a0ff"), InlineData("82c1c100c1c100")]
    [InlineData("a1c1c100c1c1f4")]
    [InlineData("6461626364"), InlineData("7f626162626364ff"), InlineData("4401020304"), InlineData("5f41014301020340ff")]
    [InlineData("850102030405"), InlineData("9f0102030405ff"), InlineData("a500010001000100010001"), InlineData("bf0001000100010001ff")]
    public void Accepts_a_document_at_a_limit(string hex)
    {
        var reader = new CborReader(Convert.FromHexString(hex), Limits);
        reader.Skip();
        reader.ReadEnd();

        CborText.Of(Convert.FromHexString(hex), Limits).Should().NotBeEmpty();
    }

    [Theory]
    [InlineData("81818180", "4 arrays, maps and tags are inside one another; at most 3 are allowed (at byte 3).")]
    [InlineData("c5c5c5c500", "4 arrays, maps and tags are inside one another; at most 3 are allowed (at byte 4).")]
    [InlineData("c5818180", "4 arrays, maps and tags are inside one another; at most 3 are allowed (at byte 3).")]
    [InlineData("9f9f9f9fffffffff", "4 arrays, maps and tags are inside one another; at most 3 are allowed (at byte 3).")]
    [InlineData("656162636465", "The length of a text is 5 bytes; at most 4 are allowed (at byte 0).")]
    [InlineData("7f62616263626364ff", "The length of a text is 5 bytes; at most 4 are allowed (at byte *).")]
    [InlineData("7bffffffffffffffff", "The length of a text is 18446744073709551615 bytes; at most 4 are allowed (at byte 0).")]
    [InlineData("450102030405", "The length of a byte string is 5 bytes; at most 4 are allowed (at byte 0).")]
    [InlineData("86010203040506", "The array has 6 items; at most 5 are allowed (at byte 0).")]
    [InlineData("9b8000000000000000", "The array has 9223372036854775808 items; at most 5 are allowed (at byte 0).")]
    [InlineData("9f010203040506ff", "The array has 6 items; at most 5 are allowed (at byte 6).")]
    [InlineData("a6", "The map has 6 entries; at most 5 are allowed (at byte 0).")]
    [InlineData("bf0001000100010001000100", "The map has 6 entries; at most 5 are allowed (at byte 11).")]
    public void Rejects_a_document_above_a_limit(string hex, string message)
    {
        var document = Convert.FromHexString(hex);
        var skip = () => new CborReader(document, Limits).Skip();
        var read = () => CborText.Of(document, Limits);

        skip.Should().Throw<CoapPayloadException>().WithMessage(message);
        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Fact]
    public void Rejects_a_payload_that_is_too_large()
    {
        var atLimit = () => new CborReader(new byte[12], Limits);
        var above = () => new CborReader(new byte[13], Limits);

        atLimit.Should().NotThrow();
        above.Should().Throw<CoapPayloadException>().WithMessage("The payload has 13 bytes; at most 12 are allowed (at byte 0).");
    }

    [Theory, Trait("RFC", "8949 10")]
    [InlineData("9a00ffffff00", "The array has 16777215 items, but only 1 bytes are left for them (at byte 0).")]
    [InlineData("ba00ffffff00", "The map has 16777215 entries, but only 1 bytes are left for them (at byte 0).")]
    [InlineData("7a00ffffff61", "The length of a text is 16777215 bytes; 1 are left (at byte 0).")]
    public void Does_not_believe_an_announced_size(string hex, string message)
    {
        var read = () => CborText.Of(Convert.FromHexString(hex));

        read.Should().Throw<CoapPayloadException>().WithMessage(message);
    }

    [Theory, Trait("RFC", "8949 10")]
    [InlineData("8282000000"), InlineData("9f820000ff"), InlineData("9f9f8200009f80ffffff"), InlineData("a100820000"), InlineData("a18000")]
    [InlineData("bf80a10000ff"), InlineData("82a1000080")]
    public void Accepts_inner_arrays_that_leave_just_enough_bytes_for_the_outer_ones(string hex)
    {
        var document = Convert.FromHexString(hex);

        new CborReader(document).Skip();
        CborText.Of(document).Should().NotBeEmpty();
    }

    [Theory, Trait("RFC", "8949 10")]
    [InlineData("82820000", "The array has 2 items, but only 1 bytes are left for them (at byte 1).")]
    [InlineData("9f820000", "The array has 2 items, but only 1 bytes are left for them (at byte 1).")]
    [InlineData("838100a100", "The map has 1 entries, but only 0 bytes are left for them (at byte 3).")]
    [InlineData("9f9f820000ff", "The array has 2 items, but only 1 bytes are left for them (at byte 2).")]
    public void Rejects_inner_arrays_that_leave_no_bytes_for_the_outer_ones(string hex, string message)
    {
        var reader = new CborReader(Convert.FromHexString(hex));
        Action[] reads = [() => CborText.Of(Convert.FromHexString(hex)), reader.Skip];

        foreach (var read in reads) { read.Should().Throw<CoapPayloadException>().WithMessage(message); }
        reader.EndedEarly.Should().BeTrue();
    }

    [Fact, Trait("RFC", "8949 10")]
    public void All_counts_together_are_at_most_the_number_of_bytes()
    {
        // Each level announces as many items as it may.
        var document = new byte[10_000];
        var limits = new PayloadLimits { MaxDepth = 1000 };
        var announced = 0L;
        for (var level = 0; level < 300; level++)
        {
            var at = 3 * level;
            document[at] = 0x99;
            var count = (ushort)Math.Max(1, document.Length - at - 3 - announced);
            System.Buffers.Binary.BinaryPrimitives.WriteUInt16BigEndian(document.AsSpan(at + 1), count);
            var reader = new CborReader(document, limits);
            announced = 0;
            try
            {
                for (; reader.Peek() == ItemKind.Array; reader.MoveNext()) { announced += reader.ReadArrayStart() ?? 0; }
            }
            catch (CoapPayloadException) { break; }
            announced.Should().BeLessThanOrEqualTo(document.Length);
        }
    }

    [Fact]
    public void Reads_integers_at_once_up_to_the_limit()
    {
        var allowed = new CborReader(Convert.FromHexString("9f0102030405ff"), Limits);
        allowed.ReadArrayStart();
        allowed.ReadInt32s(new int[9]).Should().Be(5);
        allowed.ReadEnd();
        var excessive = new CborReader(Convert.FromHexString("9f010203040506ff"), Limits);
        excessive.ReadArrayStart();
        var read = () => excessive.ReadInt32s(new int[9]);

        read.Should().Throw<CoapPayloadException>().WithMessage("The array has 6 items; at most 5 are allowed (at byte 6).");
    }

    [Fact]
    public void Skips_a_thousand_levels_and_no_more()
    {
        var limits = new PayloadLimits { MaxDepth = 1000 };
        byte[] document = [.. Enumerable.Repeat((byte)0x81, 999), 0x80];

        new CborReader(document, limits).Skip();
        var skip = () => new CborReader((byte[])[0x81, .. document], limits).Skip();

        skip.Should().Throw<CoapPayloadException>().WithMessage("1001 arrays, maps and tags are inside one another; at most 1000 are allowed (at byte 1000).");
    }
}
