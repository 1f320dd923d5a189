using CoAP.Dtls;
using CoAP.Dtls.OpenSsl;

namespace CoAP.Tests.Dtls.OpenSsl;

public sealed class OpenSslCipherTests : IDisposable
{
    private readonly OpenSslCipher _cut = new();
    private readonly PlatformCipher _other = new();

    public static TheoryData<int> Suites => new(0xC0A8, 0xC0A4, 0x00A8, 0x00A9, 0xCCAB);

    public void Dispose() => _cut.Dispose();

    [Theory, MemberData(nameof(Suites))]
    public void Records_equal_those_of_the_runtime_and_can_be_opened(int suite)
    {
        var random = new Random(suite);
        for (var i = 0; i < 200; i++)
        {
            var key = Key(suite, random);
            var (content, id) = (Bytes(random, i < 3 ? i : random.Next(1500)), Bytes(random, random.Next(2) * 8));
            byte[] one = new byte[key.LengthOf(content.Length, id.Length)], other = new byte[one.Length];

            key.Seal(_cut, ContentType.ApplicationData, new RecordNumber((ulong)i), content, id, one);
            key.Seal(_other, ContentType.ApplicationData, new RecordNumber((ulong)i), content, id, other);

            one.Should().Equal(other, $"record {i}");
            Open(key, other, id.Length).Should().Equal(content);
            other[random.Next(11, other.Length)] ^= (byte)(1 << random.Next(8));
            Open(key, other, id.Length).Should().BeNull($"record {i} is forged");
        }
    }

    private static RecordKey Key(int id, Random random)
    {
        var suite = CipherSuite.Find((ushort)id)!;
        return new(suite, Bytes(random, suite.KeyLength), Bytes(random, suite.IvLength));
    }

    private static byte[] Bytes(Random random, int length)
    {
        var bytes = new byte[length];
        random.NextBytes(bytes);
        return bytes;
    }

    private byte[]? Open(RecordKey key, byte[] bytes, int idLength)
    {
        var datagram = ((byte[])bytes.Clone()).AsSpan();
        return DtlsRecord.TryRead(ref datagram, idLength, out var record) && key.TryOpen(_cut, record, out _, out var content) ? content.ToArray() : null;
    }
}
