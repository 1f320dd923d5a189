using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls;

public sealed class DtlsSessionTests
{
    private static readonly PlatformCipher Cipher = new();
    private static readonly byte[] IdOfServer = Hex.Bytes("51 51");

    [Fact, Trait("RFC", "6347 4.1.2.6")]
    public void A_record_is_accepted_once_and_knows_whether_it_is_the_newest()
    {
        var (client, server) = Pair();
        byte[][] records = [.. Enumerable.Range(0, 3).Select(i => Seal(client, $"{i}"))];

        Open(server, records[1]).Should().Be("Newest ApplicationData '1'");
        Open(server, records[0]).Should().Be("Late ApplicationData '0'");
        Open(server, records[0]).Should().Be("Replayed");
        Open(server, records[2]).Should().Be("Newest ApplicationData '2'");
        Open(client, records[2]).Should().Be("Dropped", "a reflected record is not the peer's");
        server.HighestReceived.Should().Be(2);
    }

    [Theory, Trait("RFC", "6066 4"), Trait("RFC", "9146 5"), InlineData("", 512 - 16), InlineData("51 51", 512 - 16 - 3)]
    public void The_record_of_the_longest_message_is_as_long_as_a_plain_one_with_the_longest_content(string idOfPeer, int expected)
    {
        var keys = KeyBlock.Derive(CipherSuite.Find(0xC0A8)!, new byte[48], new byte[32], new byte[32]);
        var session = new DtlsSession(keys, isServer: false, new ConnectionIds(default, Hex.Bytes(idOfPeer))) { MaxContent = 512 };

        session.MaxMessage.Should().Be(expected);
        session.LengthOf(session.MaxMessage).Should().Be(512 + 13);
    }

    [Fact, Trait("RFC", "9146 4")]
    public void With_a_connection_ID_plain_records_are_not_for_the_session()
    {
        var (client, server) = Pair(IdOfServer);
        var (plain, _) = Pair();

        Open(server, Seal(plain, "a")).Should().Be("Dropped");
        Open(server, Seal(client, "a")).Should().Be("Newest ApplicationData 'a'");
        Open(client, Seal(server, "b")).Should().Be("Newest ApplicationData 'b'", "the client has none of its own");
    }

    [Fact, Trait("RFC", "6347 4.1.2.7")]
    public void A_forged_record_does_not_use_up_the_number_of_the_honest_one()
    {
        var (client, server) = Pair();
        var record = Seal(client, "a");
        var forged = (byte[])record.Clone();
        forged[^1] ^= 1;

        Open(server, forged).Should().Be("Dropped");
        Open(server, record).Should().Be("Newest ApplicationData 'a'");
    }

    [Fact]
    public void A_generation_sends_numbers_of_its_own_and_the_peer_accepts_them()
    {
        var (first, server) = Pair();
        var (second, _) = Pair(generation: 7);

        Open(server, Seal(first, "a"));
        second.Next.Should().Be(new RecordNumber((1UL << 48) | (7UL << 32)));
        Open(server, Seal(second, "b")).Should().Be("Newest ApplicationData 'b'");
        (second.Next.Generation, second.Next.Counter).Should().Be(((ushort)7, 1u));
        Open(server, Seal(first, "c")).Should().Be("Replayed", "the old owner is behind the window");
    }

    [Fact]
    public void An_erased_session_opens_nothing()
    {
        var (client, server) = Pair();
        var record = Seal(client, "a");

        server.Erase();

        Open(server, record).Should().Be("Dropped");
    }

    private static (DtlsSession Client, DtlsSession Server) Pair(byte[]? idOfServer = null, ushort generation = 0)
    {
        // Each side has its own copy, which it overwrites at the end.
        static SessionKeys Keys() => KeyBlock.Derive(CipherSuite.Find(0xC0A8)!, new byte[48], new byte[32], new byte[32]);
        return (new(Keys(), isServer: false, new(default, idOfServer), generation), new(Keys(), isServer: true, new(idOfServer, default)));
    }

    private static byte[] Seal(DtlsSession session, string text)
    {
        var record = new byte[session.LengthOf(text.Length)];
        session.Seal(Cipher, ContentType.ApplicationData, System.Text.Encoding.ASCII.GetBytes(text), record);
        return record;
    }

    private static string Open(DtlsSession session, byte[] bytes)
    {
        var datagram = ((byte[])bytes.Clone()).AsSpan();
        DtlsRecord.TryRead(ref datagram, IdOfServer.Length, out var record).Should().BeTrue();
        var verdict = session.Open(Cipher, record, out var type, out var content);
        return verdict is RecordVerdict.Late or RecordVerdict.Newest ? $"{verdict} {type} '{System.Text.Encoding.ASCII.GetString(content)}'" : $"{verdict}";
    }
}
