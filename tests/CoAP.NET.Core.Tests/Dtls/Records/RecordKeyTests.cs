using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Records;

public sealed class RecordKeyTests
{
    private const string Id = "0102030405060708";

    // Computed with another implementation of the algorithms from the RFCs' formulas; the content is "hello", the number epoch 1 and sequence 5.
    public static TheoryData<int, string, string> Records => new()
    {
        { 0xC0A8, "", "17fefd0001000000000005001500010000000000054498625bc0bdfdedef2cbf7c99" },
        { 0xC0A8, Id, "19fefd00010000000000050102030405060708001600010000000000054498625bc0b10182b6365149faac" },
        { 0xC0A4, "", "17fefd0001000000000005001d00010000000000054498625bc073d57b65a62b8745ed10ca40dba70d72" },
        { 0xC0A4, Id, "19fefd00010000000000050102030405060708001e00010000000000054498625bc0b17cbd8ff8bea9b7bdcecec514aa2a2eeb" },
        { 0x00A8, "", "17fefd0001000000000005001d0001000000000005a46f3dea4bdf91ed9f7ac22a9f5d500cb359deae1b" },
        { 0x00A8, Id, "19fefd00010000000000050102030405060708001e0001000000000005a46f3dea4b80cfbdd73a3975a12cb0a578a3cc962398" },
        { 0xCCAB, "", "17fefd000100000000000500155c498582dc81fda685c3c15736f5a3a57a0da3bb36" },
        { 0xCCAB, Id, "19fefd0001000000000005010203040506070800165c498582dcf3255e233c311d94f3a0d715065a949061" },
    };

    private static RecordNumber Fifth => new((1UL << 48) | 5);

    [Theory, MemberData(nameof(Records)), Trait("RFC", "6347 4.1"), Trait("RFC", "9146 4"), Trait("RFC", "9146 5.3")]
    public void A_record_has_the_bytes_of_the_RFC(int suite, string id, string expected)
    {
        var key = Key(suite);
        var record = new byte[key.LengthOf(5, id.Length / 2)];

        key.Seal(new PlatformCipher(), ContentType.ApplicationData, Fifth, "hello"u8, Hex.Bytes(id), record).Should().Be(record.Length);

        Hex.Text(record).Should().Be(expected);
    }

    [Theory, MemberData(nameof(Records)), Trait("RFC", "6347 4.1"), Trait("RFC", "9146 4")]
    public void A_record_is_opened_and_one_with_any_changed_bit_is_not(int suite, string id, string bytes)
    {
        TryOpen(suite, Hex.Bytes(bytes), out var type, out var content).Should().BeTrue();
        (type, Hex.Text(content)).Should().Be((ContentType.ApplicationData, Hex.Text("hello"u8)));
        for (var bit = 0; bit < bytes.Length * 4; bit++)
        {
            var forged = Hex.Bytes(bytes);
            forged[bit / 8] ^= (byte)(1 << (bit % 8));
            TryOpen(suite, forged, out _, out _).Should().BeFalse($"bit {bit} was changed");
        }
        id.Length.Should().BeOneOf(0, 16);
    }

    [Theory, Trait("RFC", "9146 5"), Trait("RFC", "5246 6.2.1")]
    [InlineData("", 16384, true), InlineData("", 16385, false), InlineData(Id, 16383, true), InlineData(Id, 16384, false)]
    public void The_protected_text_has_at_most_16384_bytes_with_the_real_type(string id, int length, bool isOpened)
    {
        var key = Key(0xC0A8);
        var record = new byte[key.LengthOf(length, id.Length / 2)];
        key.Seal(new PlatformCipher(), ContentType.ApplicationData, Fifth, new byte[length], Hex.Bytes(id), record);

        TryOpen(0xC0A8, record, out _, out _).Should().Be(isOpened);
    }

    [Theory, Trait("RFC", "9146 4")]
    [InlineData("68 17 00 00 00", "68"), InlineData("17", ""), InlineData("00 00 17 00", "0000"), InlineData("00 00 00", null), InlineData("00", null)]
    public void The_last_byte_that_is_not_zero_is_the_real_type(string text, string? expected)
    {
        // A sender that pads: the inner text is protected as if it were content, and its last byte as the type.
        var key = Key(0xC0A8);
        var (inner, id) = (Hex.Bytes(text), Hex.Bytes(Id));
        var record = new byte[key.LengthOf(inner.Length - 1, id.Length)];
        key.Seal(new PlatformCipher(), (ContentType)inner[^1], Fifth, inner.AsSpan(..^1), id, record);

        TryOpen(0xC0A8, record, out var type, out var content).Should().Be(expected is not null);

        if (expected is not null) { (type, Hex.Text(content)).Should().Be((ContentType.ApplicationData, expected)); }
    }

    private static RecordKey Key(int id)
    {
        var suite = CipherSuite.Find((ushort)id)!;
        byte[] key = [.. Enumerable.Range(0, suite.KeyLength).Select(static i => (byte)i)], iv = [.. Enumerable.Range(0xA0, suite.IvLength).Select(static i => (byte)i)];
        return new(suite, key, iv);
    }

    private static bool TryOpen(int suite, byte[] bytes, out ContentType type, out byte[] content)
    {
        (type, content) = (default, []);
        var datagram = bytes.AsSpan();
        if (!DtlsRecord.TryRead(ref datagram, 8, out var record) || !Key(suite).TryOpen(new PlatformCipher(), record, out type, out var text)) { return false; }
        content = text.ToArray();
        return true;
    }
}
