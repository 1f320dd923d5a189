using System.Text.Json;

namespace CoAP.Formats.Tests;

/// <summary>Compares with another encoder: the bytes are those of the npm package @msgpack/msgpack, version 3.1.3, for the same JSON.</summary>
public sealed class MessagePackReferenceTests
{
    [Theory]
    [InlineData("{\"compact\":true,\"schema\":0}", "82a7636f6d70616374c3a6736368656d6100")]
    [InlineData("[]", "90")]
    [InlineData("{}", "80")]
    [InlineData("[[],{},[[]],{\"a\":[{}]}]", "949080919081a1619180")]
    [InlineData(
        "{\"n\":\"urn:dev:ow:10e2073a01080063\",\"u\":\"Cel\",\"v\":23.1}",
        "83a16ebb75726e3a6465763a6f773a31306532303733613031303830303633a175a343656ca176cb403719999999999a")]
    [InlineData(
        "[1,-1,127,128,255,256,32767,32768,65535,65536,2147483647,2147483648,4294967295,4294967296,9007199254740991]",
        "9f01ff7fcc80ccffcd0100cd7fffcd8000cdffffce00010000ce7fffffffce80000000ceffffffffcf0000000100000000cf001fffffffffffff")]
    [InlineData(
        "[-32,-33,-127,-128,-129,-255,-256,-257,-32768,-32769,-65536,-2147483648,-2147483649,-9007199254740991]",
        "9ee0d0dfd081d080d1ff7fd1ff01d1ff00d1feffd18000d2ffff7fffd2ffff0000d280000000d3ffffffff7fffffffd3ffe0000000000001")]
    [InlineData(
        "[0.1,-0.1,1e300,-1e-300,3.141592653589793,5e-324,1.7976931348623157e308]",
        "97cb3fb999999999999acbbfb999999999999acb7e37e43c8800759ccb81a56e1fc2f8f359cb400921fb54442d18cb0000000000000001cb7fefffffffffffff")]
    [InlineData(
        "[\"\",\"a\",\"Grüße\",\"水\",\"𐍈\",\"0123456789012345678901234567890\",\"01234567890123456789012345678901\"]",
        "97a0a161a74772c3bcc39f65a3e6b0b4a4f0908d88bf30313233343536373839303132333435363738393031323334353637383930d92030313233343536373839"
        + "30313233343536373839303132333435363738393031")]
    [InlineData("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14]", "9f000102030405060708090a0b0c0d0e")]
    [InlineData("[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]", "dc0010000102030405060708090a0b0c0d0e0f")]
    [InlineData(
        "{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8,\"j\":9,\"k\":10,\"l\":11,\"m\":12,\"n\":13,\"o\":14}",
        "8fa16100a16201a16302a16403a16504a16605a16706a16807a16908a16a09a16b0aa16c0ba16d0ca16e0da16f0e")]
    [InlineData(
        "{\"a\":0,\"b\":1,\"c\":2,\"d\":3,\"e\":4,\"f\":5,\"g\":6,\"h\":7,\"i\":8,\"j\":9,\"k\":10,\"l\":11,\"m\":12,\"n\":13,\"o\":14,\"p"
        + "\":15}",
        "de0010a16100a16201a16302a16403a16504a16605a16706a16807a16908a16a09a16b0aa16c0ba16d0ca16e0da16f0ea1700f")]
    [InlineData(
        "{\"id\":4711,\"ok\":true,\"off\":false,\"none\":null,\"list\":[1,[2,[3,[4,[5]]]]],\"tags\":[\"x\",\"y\"],\"sub\":{\"t\":-40,\"h\":"
        + "99.9}}",
        "87a26964cd1267a26f6bc3a36f6666c2a46e6f6e65c0a46c69737492019202920392049105a47461677392a178a179a373756282a174d0d8a168cb4058f9999999"
        + "999a")]
    public void A_document_is_written_as_by_the_reference_encoder_and_read_back(string json, string expected)
    {
        using var document = JsonDocument.Parse(json);

        var written = MessagePackDocument.WriteHex(writer => Write(writer, document.RootElement));

        written.Should().Be(expected);
        MessagePackDocument.ReadHex(expected, MessagePackTree.Read).Should().Be(PlainMessagePack.Describe(Convert.FromHexString(expected)));
    }

    private static void Write(MessagePackWriter writer, JsonElement element)
    {
        switch (element.ValueKind)
        {
            case JsonValueKind.Null: writer.WriteNull(); break;
            case JsonValueKind.True or JsonValueKind.False: writer.WriteBoolean(element.GetBoolean()); break;
            case JsonValueKind.String: writer.WriteText(element.GetString()); break;
            case JsonValueKind.Number when element.TryGetInt64(out var integer): writer.WriteInt64(integer); break;
            case JsonValueKind.Number: writer.WriteDouble(element.GetDouble()); break;
            case JsonValueKind.Array:
                writer.WriteArrayStart(element.GetArrayLength());
                foreach (var item in element.EnumerateArray()) { Write(writer, item); }
                break;
            default:
                writer.WriteMapStart(element.EnumerateObject().Count());
                foreach (var member in element.EnumerateObject())
                {
                    writer.WriteText(member.Name);
                    Write(writer, member.Value);
                }
                break;
        }
    }
}
