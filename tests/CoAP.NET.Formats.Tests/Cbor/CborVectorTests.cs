namespace CoAP.Formats.Tests;

public sealed class CborVectorTests
{
    public static TheoryData<string> Vectors => [.. CborVectors.All.Select(vector => vector.Hex)];

    public static TheoryData<string> WrittenVectors => [.. CborVectors.All.Where(vector => vector.Write is not null).Select(vector => vector.Hex)];

    public static TheoryData<string> Malformed => [.. CborVectors.MalformedHex];

    // RFC 7049 had 82 examples. One of them, simple(24) as 0xf818, is not well-formed since RFC 8949.
    [Fact, Trait("RFC", "8949 A")]
    public void All_examples_of_the_appendix_are_there() => CborVectors.All.Should().HaveCount(81).And.OnlyHaveUniqueItems(vector => vector.Hex);

    [Fact, Trait("RFC", "8949 F.1")]
    public void All_malformed_examples_of_the_appendix_are_there() => CborVectors.MalformedHex.Should().HaveCount(94).And.OnlyHaveUniqueItems();

    [Theory, MemberData(nameof(Vectors)), Trait("RFC", "8949 A")]
    public void Reads_the_examples_of_the_appendix(string hex)
    {
        CborText.Of(Convert.FromHexString(hex)).Should().Be(CborVectors.All.Single(vector => vector.Hex == hex).Text);
    }

    [Theory, MemberData(nameof(WrittenVectors)), Trait("RFC", "8949 A"), Trait("RFC", "8949 4.1")]
    public void Writes_the_examples_of_the_appendix(string hex)
    {
        var write = CborVectors.All.Single(vector => vector.Hex == hex).Write!;

        Hex(write).Should().Be(hex);
    }

    [Theory, MemberData(nameof(Vectors)), Trait("RFC", "8949 A")]
    public void Skips_the_examples_of_the_appendix(string hex)
    {
        var reader = new CborReader(Convert.FromHexString(hex + "01"));

        reader.Skip();

        reader.ReadInt64().Should().Be(1);
        reader.ReadEnd();
    }

    [Theory, MemberData(nameof(Malformed)), Trait("RFC", "8949 F.1"), Trait("RFC", "8949 3.2.1")]
    public void Rejects_the_malformed_examples_of_the_appendix(string hex)
    {
        var document = Convert.FromHexString(hex);
        var read = () => CborText.Of(document);
        var skip = () => new CborReader(document).Skip();

        read.Should().Throw<CoapPayloadException>().WithMessage("*(at byte *").Which.Offset.Should().BeInRange(0, document.Length);
        skip.Should().Throw<CoapPayloadException>().WithMessage("*(at byte *");
    }

    [Theory, MemberData(nameof(Vectors)), Trait("RFC", "8949 C")]
    public void Rejects_each_example_that_is_cut_off(string hex)
    {
        var document = Convert.FromHexString(hex);
        for (var length = 0; length < document.Length; length++)
        {
            var reader = new CborReader(document.AsMemory(0, length));
            var skip = reader.Skip;

            skip.Should().Throw<CoapPayloadException>();
            reader.EndedEarly.Should().BeTrue($"{length} of {document.Length} bytes are there");
        }
    }

    internal static string Hex(Action<CborWriter> write)
    {
        var output = new System.Buffers.ArrayBufferWriter<byte>();
        var writer = new CborWriter(output);
        write(writer);
        writer.Flush();
        return Convert.ToHexStringLower(output.WrittenSpan);
    }
}
