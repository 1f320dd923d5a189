namespace CoAP.Formats.Tests;

public sealed class MessagePackTruncationTests
{
    private const int Seed = 1616;

    [Theory]
    [InlineData("cc80")]
    [InlineData("cd0100")]
    [InlineData("ce00010000")]
    [InlineData("cf0000000100000000")]
    [InlineData("d3ffffffff7fffffff")]
    [InlineData("ca3f000000")]
    [InlineData("cb3fb999999999999a")]
    [InlineData("a3616263")]
    [InlineData("d903616263")]
    [InlineData("db00000003616263")]
    [InlineData("c403010203")]
    [InlineData("d60101020304")]
    [InlineData("c90000000301010203")]
    [InlineData("c70cff3b9ac9ff0000000000000001")]
    [InlineData("93010203")]
    [InlineData("82a16101a16293c0c2c3")]
    [InlineData("dd00000002a0a0")]
    [InlineData("df0000000100de0000")]
    public void A_document_that_ends_too_early_is_refused_at_every_byte(string hex) => RefuseAllStarts(Convert.FromHexString(hex));

    [Fact]
    public void A_random_document_that_ends_too_early_is_refused_at_every_byte()
    {
        var random = new Random(Seed);
        for (var i = 0; i < 100; i++)
        {
            var document = MessagePackDocument.Write(writer => MessagePackTree.WriteRandom(writer, random, depth: 3));
            RefuseAllStarts(document.Length < 3000 ? document : [0xc0]);
        }
    }

    private static void RefuseAllStarts(byte[] document)
    {
        for (var length = 0; length < document.Length; length++)
        {
            Refuse(document.AsMemory(0, length), static reader => MessagePackTree.Read(reader));
            Refuse(document.AsMemory(0, length), static reader => reader.Skip());
        }
        new MessagePackReader(document).Skip();
    }

    private static void Refuse(ReadOnlyMemory<byte> document, Action<MessagePackReader> read)
    {
        var reader = new MessagePackReader(document);
        try { read(reader); }
        catch (CoapPayloadException error)
        {
            if (document.Length > 0) { reader.EndedEarly.Should().BeTrue(error.Message); }
            error.Message.Should().EndWith($"(at byte {error.Offset}).");
            return;
        }
        throw new InvalidOperationException($"Seed {Seed}: the start of a document was accepted: {Convert.ToHexString(document.Span)}");
    }
}
