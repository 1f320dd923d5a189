using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls;

public sealed class KeyBlockTests
{
    // The values that the TLS working group exchanged while TLS 1.2 was written, and those of "openssl kdf -digest SHA384 TLS1-PRF".
    [Theory, Trait("RFC", "5246 5")]
    [InlineData(
        false, "9b be 43 6b a9 40 f0 17 b1 76 52 84 9a 71 db 35", "a0 ba 9f 93 6c da 31 18 27 a6 f7 96 ff d5 19 8c",
        "e3 f2 29 ba 72 7b e1 7b 8d 12 26 20 55 7c d4 53 c2 aa b2 1d 07 c3 d4 95 32 9b 52 d4 e6 1e db 5a 6b 30 17 91 e9 0d 35 c9 c9 a4 6b 4e 14 ba f9 af"
        + "0f a0 22 f7 07 7d ef 17 ab fd 37 97 c0 56 4b ab 4f bc 91 66 6e 9d ef 9b 97 fc e3 4f 79 67 89 ba a4 80 82 d1 22 ee 42 c5 a7 2e 5a 51 10 ff f7 01"
        + "87 34 7b 66")]
    [InlineData(
        true, "b8 0b 73 3d 6c ee fc dc 71 56 6e a4 8e 55 67 df", "cd 66 5c f6 a8 44 7d d6 ff 8b 27 55 5e db 74 65",
        "7b 0c 18 e9 ce d4 10 ed 18 04 f2 cf a3 4a 33 6a 1c 14 df fb 49 00 bb 5f d7 94 21 07 e8 1c 83 cd e9 ca 0f aa 60 be 9f e3 4f 82 b1 23 3c 91 46 a0"
        + "e5 34 cb 40 0f ed 27 00 88 4f 9d c2 36 f8 0e dd 8b fa 96 11 44 c9 e8 d7 92 ec a7 22 a7 b3 2f c3 d4 16 d4 73 eb c2 c5 fd 4a bf da d0 5d 91 84 25"
        + "9b 5b f8 cd 4d 90 fa 0d 31 e2 de c4 79 e4 f1 a2 60 66 f2 ee a9 a6 92 36 a3 e5 26 55 c9 e9 ae e6 91 c8 f3 a2 68 54 30 8d 5e aa 3b e8 5e 09 90 70"
        + "3d 73 e5 6f")]
    public void The_pseudorandom_function_has_the_published_values(bool usesSha384, string secret, string seed, string expected)
    {
        var output = new byte[Hex.Bytes(expected).Length];

        KeyBlock.Expand(usesSha384, Hex.Bytes(secret), "test label"u8, Hex.Bytes(seed), output);

        Hex.Text(output).Should().Be(Hex.Text(Hex.Bytes(expected)));
    }

    [Theory, Trait("RFC", "5246 6.3")]
    [InlineData(0xC0A8, 16, 4, 8), InlineData(0x00A8, 16, 4, 16), InlineData(0x00A9, 32, 4, 16), InlineData(0xCCAB, 32, 12, 16)]
    public void The_block_is_cut_into_keys_and_then_nonces_the_clients_first(int id, int keyLength, int ivLength, int tagLength)
    {
        var suite = CipherSuite.Find((ushort)id)!;
        byte[] secret = [.. Enumerable.Range(0, 48).Select(static i => (byte)i)], client = new byte[32], server = [.. Enumerable.Repeat((byte)1, 32)];
        var block = new byte[2 * (keyLength + ivLength)];
        KeyBlock.Expand(suite.UsesSha384, secret, "key expansion"u8, [.. server, .. client], block);

        var keys = KeyBlock.Derive(suite, secret, client, server);

        suite.TagLength.Should().Be(tagLength);
        keys.Client.Key.ToArray().Should().Equal(block[..keyLength]);
        keys.Server.Key.ToArray().Should().Equal(block[keyLength..(2 * keyLength)]);
        keys.Client.Iv.ToArray().Should().Equal(block[(2 * keyLength)..(2 * keyLength + ivLength)]);
        keys.Server.Iv.ToArray().Should().Equal(block[(2 * keyLength + ivLength)..]);
    }
}
