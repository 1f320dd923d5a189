using System.Buffers.Binary;

namespace CoAP.Benchmarks;

/// <summary>Encodes a datagram to a new array (RFC 7252, section 3). The baseline of encoding.</summary>
internal static class PlainWriter
{
    public static byte[] Write(PlainMessage message)
    {
        var bytes = new byte[4 + message.TokenLength + MeasureTail(message)];
        bytes[0] = (byte)(0x40 | (message.Type << 4) | message.TokenLength);
        bytes[1] = message.Code;
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(2), message.MessageId);
        WriteRest(bytes, 4, message);
        return bytes;
    }

    private static void WriteRest(byte[] bytes, int position, PlainMessage message)
    {
        for (var i = message.TokenLength - 1; i >= 0; i--) { bytes[position++] = (byte)(message.Token >> (8 * i)); }
        var previous = 0;
        foreach (ref readonly var option in message.Options.AsSpan())
        {
            var value = message.Value(option);
            var head = position++;
            var delta = Extend(bytes, ref position, option.Number - previous);
            bytes[head] = (byte)((delta << 4) | Extend(bytes, ref position, value.Length));
            value.CopyTo(bytes.AsSpan(position));
            position += value.Length;
            previous = option.Number;
        }
        var payload = message.Payload;
        if (payload.Length > 0)
        {
            bytes[position++] = 0xFF;
            payload.CopyTo(bytes.AsSpan(position));
        }
    }

    private static int MeasureTail(PlainMessage message)
    {
        var payload = message.Payload.Length;
        int size = payload > 0 ? 1 + payload : 0, previous = 0;
        foreach (ref readonly var option in message.Options.AsSpan())
        {
            size += 1 + Extra(option.Number - previous) + Extra(option.Length) + option.Length;
            previous = option.Number;
        }
        return size;
    }

    private static int Extra(int value) => value < 13 ? 0 : value < 269 ? 1 : 2;

    private static int Extend(byte[] bytes, ref int position, int value)
    {
        if (value < 13) { return value; }
        if (value < 269)
        {
            bytes[position++] = (byte)(value - 13);
            return 13;
        }
        BinaryPrimitives.WriteUInt16BigEndian(bytes.AsSpan(position), (ushort)(value - 269));
        position += 2;
        return 14;
    }
}
