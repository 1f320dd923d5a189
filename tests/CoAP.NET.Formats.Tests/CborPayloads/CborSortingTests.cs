using System.Buffers;

namespace CoAP.Formats.Tests;

public sealed class CborSortingTests
{
    [Theory, Trait("RFC", "8949 4.2.1")]
    // The example of the section: 10, 100, -1, "z", "aa", [100], [-1], false.
    [InlineData("a8811864f4626161f4f4f40af4617af420f41864f48120f4", "a80af41864f420f4617af4626161f4811864f48120f4f4f4")]
    [InlineData("a26161bf616202616101ff60f97e00", "a260f97e006161a2616101616202")]
    [InlineData("9fbf01020001ff7f61616162ff5f4101ffff", "83a2000101026261624101")]
    [InlineData("1b0000000000000001", "01")]
    [InlineData("fb3ff8000000000000", "f93e00")]
    [InlineData("c1a202010001", "c1a200010201")]
    [InlineData("c249010000000000000000", "c249010000000000000000")]
    [InlineData("c24a00010000000000000000", "c249010000000000000000")]
    [InlineData("c2420001", "01")]
    [InlineData("c35f4100ff", "20")]
    [InlineData("c2c24101", "c201")]
    [InlineData("84f4f5f6f7", "84f4f5f6f7")]
    public void Sorts_keys_and_shortens_heads(string hex, string expected)
    {
        var output = new ArrayBufferWriter<byte>();
        CborSorting.Write(Convert.FromHexString(hex), output);

        Convert.ToHexStringLower(output.WrittenSpan).Should().Be(expected);
    }

    [Theory, Trait("RFC", "8949 5.6"), InlineData("a20102180103"), InlineData("a20102c2410103"), InlineData("a2f97e0000fb7ff800000000000000")]
    public void Rejects_a_map_with_the_same_key_twice(string hex)
    {
        var write = () => CborSorting.Write(Convert.FromHexString(hex), new ArrayBufferWriter<byte>());

        write.Should().Throw<ArgumentException>().WithMessage("A map has the same key twice*");
    }

    [Fact, Trait("RFC", "8949 4.2"), Trait("RFC", "8949 4.2.1")]
    public void Writes_equal_dictionaries_as_equal_bytes()
    {
        var format = new CborFormat(PayloadContracts.Builtin) { IsDeterministic = true };
        var first = new Dictionary<string, int> { ["b"] = 1, ["aa"] = 2, ["a"] = 3 };
        var second = new Dictionary<string, int> { ["aa"] = 2, ["a"] = 3, ["b"] = 1 };

        CborFormatTests.Bytes(format, first).Should().Equal(CborFormatTests.Bytes(format, second));
        Convert.ToHexStringLower(CborFormatTests.Bytes(format, first)).Should().Be("a361610361620162616102");
        format.Read<Dictionary<string, int>>(CborFormatTests.Bytes(format, first)).Should().BeEquivalentTo(first);
    }
}
