using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Records;

public sealed class DtlsRecordTests
{
    [Fact, Trait("RFC", "6347 4.1"), Trait("RFC", "6347 4.1.1")]
    public void A_datagram_can_contain_several_records()
    {
        Read("16 fefd 0000 000000000007 0002 aabb  17 fefd 0001 000000000001 0001 cc  19 fefd 0001 000000000002 0102 0003 ddeeff", idLength: 2).Should().Equal(
            "Handshake 0/7 '' aabb", "ApplicationData 1/1 '' cc", "ConnectionId 1/2 '0102' ddeeff");
    }

    [Theory, Trait("RFC", "6347 4.1.2.7")]
    [InlineData("16 fefd 0000 000000000007 0003 aabb")]         // cut off
    [InlineData("16 fefd 0000 000000000007 00")]
    [InlineData("16 0303 0000 000000000007 0002 aabb")]         // TLS
    [InlineData("19 fefd 0000 000000000007 01")]                // cut off in the ID
    [InlineData("")]
    public void Bytes_that_are_not_a_record_end_the_datagram(string rest)
    {
        Read("16 feff 0000 000000000000 0000" + rest, idLength: 2).Should().Equal("Handshake 0/0 '' ");
    }

    [Fact, Trait("RFC", "9146 3")]
    public void Without_connection_IDs_of_our_own_a_record_cannot_have_one()
    {
        Read("19 fefd 0001 000000000007 0002 aabb", idLength: 0).Should().BeEmpty();
    }

    [Fact, Trait("RFC", "6347 4.1")]
    public void A_record_that_is_longer_than_any_may_be_is_none()
    {
        Read("17 fefd 0001 000000000007 4801" + new string('0', 2 * 0x4801), idLength: 0).Should().BeEmpty();
        Read("17 fefd 0001 000000000007 4800" + new string('0', 2 * 0x4800), idLength: 0).Should().ContainSingle();
    }

    private static List<string> Read(string bytes, int idLength)
    {
        var datagram = Hex.Bytes(bytes).AsSpan();
        var records = new List<string>();
        while (DtlsRecord.TryRead(ref datagram, idLength, out var record))
        {
            records.Add($"{record.Type} {record.Number.Epoch}/{record.Number.Sequence} '{Hex.Text(record.ConnectionId)}' {Hex.Text(record.Body)}");
        }
        return records;
    }
}
