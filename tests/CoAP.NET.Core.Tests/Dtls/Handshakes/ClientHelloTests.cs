using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class ClientHelloTests
{
    private const string Random = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
    private const string Parameters = "fefd" + Random + "02 aabb";

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void A_server_reads_what_the_cookie_covers_from_the_first_fragment()
    {
        ClientHello.TryRead(Hex.Bytes("01 000200 0001 000000 000028" + Parameters + "02 c0c1"), out var hello).Should().BeTrue();

        (Hex.Text(hello.Parameters), Hex.Text(hello.Random), Hex.Text(hello.Cookie)).Should().Be((Hex.Text(Hex.Bytes(Parameters)), Random, "c0c1"));
        hello.Header.Sequence.Should().Be(1);
    }

    [Theory, Trait("RFC", "6347 4.2.1")]
    [InlineData("02 000026 0000 000000 000026" + Parameters + "00")]             // another message
    [InlineData("01 000200 0000 000001 000026" + Parameters + "00")]             // not the first fragment
    [InlineData("01 000026 0000 000000 000026" + Parameters + "01")]             // cut off in the cookie
    [InlineData("01 000025 0000 000000 000025" + Parameters)]
    [InlineData("01 000022 0000 000000 000022 fefd" + Random)]
    [InlineData("01 000024 0000 000000 000024 fefd" + Random + "21 00")]         // a session ID has at most 32 bytes
    public void Anything_else_is_not_a_hello(string bytes)
    {
        ClientHello.TryRead(Hex.Bytes(bytes), out _).Should().BeFalse();
    }

    [Fact, Trait("RFC", "6347 4.2.1")]
    public void The_request_for_a_cookie_has_the_numbers_of_the_hello()
    {
        ClientHello.TryRead(Hex.Bytes("01 000200 0003 000000 000026" + Parameters + "00"), out var hello);
        var record = new byte[64];

        var length = ClientHello.WriteVerifyRequest(hello, new RecordNumber(9), [1, 2, 3], record);

        Hex.Text(record.AsSpan(0, length)).Should().Be(Hex.Text(Hex.Bytes("16 feff 0000 000000000009 0012  03 000006 0003 000000 000006  feff 03 010203")));
    }

    [Fact]
    public void The_first_hello_is_the_second_one_without_its_cookie()
    {
        var first = ClientHello.WithoutCookie(Hex.Bytes("01 00002c 0002 000000 00002c" + Parameters + "02 c0c1 00020035 0100"), 0);

        Hex.Text(first).Should().Be(Hex.Text(Hex.Bytes("01 00002c 0000 000000 00002c" + Parameters + "00 00020035 0100")).Replace("00002c", "00002c"));
    }

    [Theory, Trait("RFC", "6066 3"), InlineData(0, 0), InlineData(1, 1), InlineData(255, 255), InlineData(256, 0), InlineData(5000, 0)]
    public void A_server_name_that_is_too_long_for_the_DNS_counts_as_none(int length, int expected)
    {
        byte[] name = [.. Enumerable.Repeat((byte)'a', length)];
        byte[] list = [0, .. Number(length), .. name];
        byte[] extension = [0, 0, .. Number(list.Length + 2), .. Number(list.Length), .. list];
        byte[] body = [.. Hex.Bytes(Parameters + "00 0002c0a8 0100"), .. Number(extension.Length), .. extension];

        ClientHello.ServerNameOf([.. Hex.Bytes("01 000000 0000 000000 000000"), .. body]).Length.Should().Be(expected);
    }

    private static byte[] Number(int value) => [(byte)(value >> 8), (byte)value];
}
