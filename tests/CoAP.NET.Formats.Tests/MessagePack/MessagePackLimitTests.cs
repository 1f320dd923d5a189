namespace CoAP.Formats.Tests;

public sealed class MessagePackLimitTests
{
    private static readonly PayloadLimits Limits = new() { MaxDepth = 3, MaxLength = 4, MaxCount = 2, MaxSize = 20 };

    public static TheoryData<string, string, string> Documents => new()
    {
        { "9181c080", "9181c081c080", "4 arrays and maps are inside one another; at most 3 are allowed (at byte 5)." },
        { "919190", "91919190", "4 arrays and maps are inside one another; at most 3 are allowed (at byte 3)." },
        { "a461626364", "a56162636465", "The text has 5 bytes; at most 4 are allowed (at byte 0)." },
        { "d90461626364", "d9056162636465", "The text has 5 bytes; at most 4 are allowed (at byte 0)." },
        { "c40401020304", "c4050102030405", "The byte string has 5 bytes; at most 4 are allowed (at byte 0)." },
        { "d60101020304", "d7010102030405060708", "The extension has 8 bytes; at most 4 are allowed (at byte 0)." },
        { "920000", "93000000", "The array has 3 items; at most 2 are allowed (at byte 0)." },
        { "8200000000", "83000000000000", "The map has 3 entries; at most 2 are allowed (at byte 0)." },
        { "9192c0c0", "9193c0c0c0", "The array has 3 items; at most 2 are allowed (at byte 1)." },
        { "9192c0c0", "91ddffffffff", "The array has 4294967295 items; at most 2 are allowed (at byte 1)." },
        { "9192c0c0", "91dfffffffff", "The map has 4294967295 entries; at most 2 are allowed (at byte 1)." },
        { "9192c0c0", "91dbffffffff", "The text has 4294967295 bytes; at most 4 are allowed (at byte 1)." },
        { "9192c0c0", "91c9ffffffff01", "The extension has 4294967295 bytes; at most 4 are allowed (at byte 1)." },
    };

    [Theory, MemberData(nameof(Documents))]
    public void A_document_at_a_limit_is_read_and_one_above_is_refused(string atLimit, string above, string message)
    {
        MessagePackTree.Read(new MessagePackReader(Convert.FromHexString(atLimit), Limits)).Should().NotBeEmpty();
        new MessagePackReader(Convert.FromHexString(atLimit), Limits).Skip();

        MessagePackDocument.Refuse(above, static reader => MessagePackTree.Read(reader), Limits).Should().Be(message);
        MessagePackDocument.Refuse(above, static reader => reader.Skip(), Limits).Should().Be(message);
    }

    [Fact]
    public void A_payload_at_the_limit_of_size_is_read_and_one_above_is_refused()
    {
        new MessagePackReader(new byte[20], Limits).ReadInt64().Should().Be(0);
        FluentActions.Invoking(() => new MessagePackReader(new byte[21], Limits)).Should().Throw<CoapPayloadException>()
            .WithMessage("The payload has 21 bytes; at most 20 are allowed (at byte 0).");
    }

    [Theory]
    [InlineData("ddffffffff", "The array has 4294967295 items; at most 2147483647 are allowed (at byte 0).")]
    [InlineData("dfffffffff", "The map has 4294967295 entries; at most 2147483647 are allowed (at byte 0).")]
    [InlineData("dd7fffffff00", "The array has 2147483647 items, but only 1 bytes are left for them (at byte 0).")]
    [InlineData("df7fffffff00", "The map has 2147483647 entries, but only 1 bytes are left for them (at byte 0).")]
    [InlineData("db7fffffff00", "The text has 2147483647 bytes, but only 1 are left (at byte 0).")]
    [InlineData("dbffffffff00", "The text has 4294967295 bytes; at most 2147483647 are allowed (at byte 0).")]
    [InlineData("c67fffffff00", "The byte string has 2147483647 bytes, but only 1 are left (at byte 0).")]
    [InlineData("c97fffffff00", "The extension has 2147483647 bytes, but only 0 are left (at byte 0).")]
    [InlineData("c97fffffff", "The extension has 2147483647 bytes, but only 0 are left (at byte 0).")]
    public void Huge_counts_and_lengths_are_refused_without_limits_too(string hex, string message)
    {
        var limits = new PayloadLimits { MaxCount = int.MaxValue, MaxLength = int.MaxValue, MaxSize = int.MaxValue };

        MessagePackDocument.Refuse(hex, static reader => reader.Skip(), limits).Should().Be(message);
    }

    [Fact]
    public void Arrays_inside_one_another_cannot_announce_more_items_than_there_are_bytes()
    {
        byte[] document = [0xdc, 0x00, 0x64, 0xdc, 0x00, 0x60, .. new byte[100]];       // 99 items of the outer array are still to come
        var reader = new MessagePackReader(document);
        reader.ReadArrayStart().Should().Be(100);

        FluentActions.Invoking(() => reader.ReadArrayStart()).Should().Throw<CoapPayloadException>()
            .WithMessage("The array has 96 items, but only 1 bytes are left for them (at byte 3).");
        reader.EndedEarly.Should().BeTrue();
    }

    [Fact]
    public void A_thousand_levels_are_read_if_they_are_allowed()
    {
        byte[] document = [.. Enumerable.Repeat((byte)0x91, 999), 0x90];
        var limits = new PayloadLimits { MaxDepth = 1000 };

        new MessagePackReader(document, limits).Skip();
        MessagePackTree.Read(new MessagePackReader(document, limits)).Should().HaveLength(2000);
        FluentActions.Invoking(() => new MessagePackReader((byte[])[0x91, .. document], limits).Skip())
            .Should().Throw<CoapPayloadException>().WithMessage("1001 *at most 1000*");
    }
}
