using CoAP.Dtls;
using CoAP.TestSupport;

namespace CoAP.Tests.Dtls.Handshakes;

public sealed class FlightTests
{
    [Theory, Trait("RFC", "6347 4.2.3"), Trait("RFC", "6347 4.1.1")]
    [InlineData(1200, 16384, 4), InlineData(300, 16384, 11), InlineData(1200, 512, 7)]
    public void Large_messages_are_cut_and_small_ones_share_a_datagram(int maxDatagram, int maxContent, int expected)
    {
        var (flight, messages) = Flight();
        var assembler = new HandshakeAssembler(0, 10_000);
        List<byte[]> taken = [];

        var datagrams = flight.Write(new FlightWriter(new PlatformCipher()), maxDatagram, maxContent).ToArray();

        datagrams.Should().HaveCount(expected).And.OnlyContain(one => one.Length <= Math.Min(maxDatagram, maxContent + 13));
        ulong number = 0;
        foreach (var datagram in datagrams)
        {
            var rest = datagram.ToArray().AsSpan();
            while (DtlsRecord.TryRead(ref rest, 0, out var record))
            {
                record.Number.Value.Should().Be(number++);
                record.Body.Length.Should().BeLessThanOrEqualTo(maxContent);
                assembler.Add(record.Body);
                while (assembler.TakeNext() is { } message) { taken.Add(message); }
            }
            rest.Length.Should().Be(0);
        }
        taken.Should().BeEquivalentTo(messages, static options => options.WithStrictOrdering());
    }

    [Fact, Trait("RFC", "6347 4.2.5"), Trait("RFC", "6347 4.2.4")]
    public void A_repeated_flight_has_new_record_numbers_in_both_epochs()
    {
        var keys = KeyBlock.Derive(CipherSuite.Find(0xC0A8)!, new byte[48], new byte[32], new byte[32]);
        var writer = new FlightWriter(new PlatformCipher(), new RecordNumber(5)) { Session = new DtlsSession(keys, isServer: false, default) };
        var flight = new Flight([new(ContentType.ChangeCipherSpec, 0, [1]), new(ContentType.Handshake, 1, Hex.Bytes("14 000001 0003 000000 000001 ff"))]);

        var numbers = Enumerable.Range(0, 2).SelectMany(_ => flight.Write(writer, 1200, 16384)).Select(static datagram =>
        {
            var rest = datagram.ToArray().AsSpan();
            var all = "";
            while (DtlsRecord.TryRead(ref rest, 0, out var record)) { all += $"{record.Number.Epoch}/{record.Number.Sequence} "; }
            return all;
        });

        numbers.Should().Equal("0/5 1/0 ", "0/6 1/1 ");
        flight.Find(HandshakeType.Finished).Length.Should().Be(13);
        flight.Find(HandshakeType.ServerHello).IsEmpty.Should().BeTrue();
    }

    private static (Flight Flight, List<byte[]> Messages) Flight()
    {
        var messages = new List<byte[]>();
        foreach (var (number, length) in new[] { 80, 2500, 0, 100 }.Index())
        {
            byte[] message = [(byte)(number + 1), 0, (byte)(length >> 8), (byte)length, 0, (byte)number, 0, 0, 0, 0, (byte)(length >> 8), (byte)length, .. Body(length)];
            messages.Add(message);
        }
        return (new Flight([.. messages.Select(static message => new HandshakeOutput(ContentType.Handshake, 0, message))]), messages);
    }

    private static byte[] Body(int length)
    {
        var body = new byte[length];
        new Random(length).NextBytes(body);
        return body;
    }
}
