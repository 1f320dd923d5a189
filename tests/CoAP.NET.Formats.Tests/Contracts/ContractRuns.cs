using System.Buffers;
using System.Formats.Cbor;
using CoAP.Formats.Tests.Shapes;
using PlainWriter = System.Formats.Cbor.CborWriter;

namespace CoAP.Formats.Tests;

/// <summary>Writes and reads values with the contracts of the tests, in CBOR.</summary>
internal static class ContractRuns
{
    public static CborFormat Format { get; } = new(TestContracts.Default);

    public static byte[] Write<T>(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        Format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }

    public static T Read<T>(byte[] payload) => Format.Read<T>(payload);

    public static T RoundTrip<T>(T value) => Read<T>(Write(value));

    public static CoapPayloadException Fail<T>(Action<PlainWriter> write)
    {
        var payload = Encode(write);
        return Assert.Throws<CoapPayloadException>(() => Read<T>(payload));
    }

    /// <summary>Encodes a payload with the encoder of the runtime.</summary>
    public static byte[] Encode(Action<PlainWriter> write)
    {
        var writer = new PlainWriter(CborConformanceMode.Lax);
        write(writer);
        return writer.Encode();
    }

    /// <summary>Encodes a map whose values the action writes.</summary>
    public static byte[] Map(params (string Key, Action<PlainWriter> Write)[] entries) => Encode(writer => WriteMap(writer, entries));

    public static void WriteMap(PlainWriter writer, params (string Key, Action<PlainWriter> Write)[] entries)
    {
        writer.WriteStartMap(entries.Length);
        foreach (var (key, write) in entries)
        {
            writer.WriteTextString(key);
            write(writer);
        }
        writer.WriteEndMap();
    }
}
