using System.Buffers.Binary;
using CoAP.Dtls;
using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Parsers;

/// <summary>
/// The records of DTLS and what they carry before there are keys (RFC 6347, sections 4.1 and 4.2; RFC 9146, section 4). The first byte is the length of our
/// connection IDs.
/// </summary>
internal sealed class DtlsRecordTarget() : FuzzTarget("dtls-records")
{
    private const int Room = 2000;

    public override IReadOnlyList<byte[]> Dictionary { get; } =
    [
        [22, 0xFE, 0xFD, 0, 0, 0, 0, 0, 0, 0, 0], [25, 0xFE, 0xFD, 0, 1, 0, 0, 0, 0, 0, 0], [22, 0xFE, 0xFF], [20, 0, 0, 12], [1, 0, 0, 50, 0, 0, 0, 0, 0, 0, 0, 50], [0, 54, 0, 1, 0], [0, 0, 0, 0],
    ];

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        if (bytes.Length == 0) { return; }
        var idLength = bytes[0] % 17;
        var datagram = bytes[1..];
        var lengths = Lengths(datagram, idLength);
        var assembler = new HandshakeAssembler(0, Room);
        var rest = datagram.AsSpan();
        var count = 0;
        while (DtlsRecord.TryRead(ref rest, idLength, out var record))
        {
            FuzzFailure.ThrowIf(count >= lengths.Count || lengths[count] != record.Body.Length, $"record {count} has {record.Body.Length} bytes of {string.Join(", ", lengths)}");
            count++;
            trace.Add("record", (byte)record.Type);
            Examine(record, assembler, trace);
        }
        FuzzFailure.ThrowIf(count != lengths.Count, $"{count} records were read of {lengths.Count}");
    }

    private static void Examine(in DtlsRecord record, HandshakeAssembler assembler, Trace trace)
    {
        if (Alert.TryRead(record.Body, out var alert)) { trace.Add("alert", (byte)alert.Description); }
        if (RoutabilityMessage.TryRead(record.Body, out var check)) { trace.Add("check", (byte)check.Type); }
        if (ClientHello.TryRead(record.Body, out var hello)) { trace.AddSize("cookie", hello.Cookie.Length); }
        assembler.Add(record.Body, record.Number.Epoch > 0);
        while (assembler.TakeNext() is { } message)
        {
            var length = (message[1] << 16) | (message[2] << 8) | message[3];
            FuzzFailure.ThrowIf(message.Length != HandshakeHeader.Size + length, $"a message of {length} bytes has {message.Length - HandshakeHeader.Size}");
            trace.Add("message", message[0]);
            trace.AddSize("suites", ClientHello.SuitesOf(message).Length);
            trace.AddSize("name", ClientHello.ServerNameOf(message).Length);
            trace.AddSize("key types", ClientHello.ServerKeyTypesOf(message).Length);
        }
    }

    // Written from RFC 6347, section 4.1, and RFC 9146, section 4: type, version, epoch, sequence number, connection ID, length.
    private static List<int> Lengths(ReadOnlySpan<byte> datagram, int idLength)
    {
        const int Expanded = 16384 + 2048;
        var lengths = new List<int>();
        while (true)
        {
            var id = datagram.Length > 0 && datagram[0] == 25 ? idLength : 0;
            if (datagram.Length < 13 + id || (datagram[0] == 25 && idLength == 0) || datagram[1] != 0xFE || datagram[2] is not (0xFD or 0xFF)) { return lengths; }
            var length = BinaryPrimitives.ReadUInt16BigEndian(datagram[(11 + id)..]);
            if (length > Expanded || datagram.Length < 13 + id + length) { return lengths; }
            lengths.Add(length);
            datagram = datagram[(13 + id + length)..];
        }
    }
}
