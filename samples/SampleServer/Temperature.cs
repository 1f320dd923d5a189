using System.Globalization;
using System.Text;
using CoAP;

namespace SampleServer;

/// <summary>A simulated sensor in three formats. Its value rises and falls once a minute.</summary>
internal static class Temperature
{
    public static CoapResponse Read(uint? accept)
    {
        var celsius = Math.Round(21.5 + (2 * Math.Sin(DateTime.UtcNow.Second * Math.PI / 30)), 1);
        var text = celsius.ToString("0.0", CultureInfo.InvariantCulture);
        return accept switch
        {
            ContentFormats.Json => Response.Content(Encoding.UTF8.GetBytes($"{{\"celsius\":{text}}}"), ContentFormats.Json),
            ContentFormats.Cbor => Response.Content(ToCbor((float)celsius), ContentFormats.Cbor),
            _ => Response.Content(text),
        };
    }

    // {"celsius": value} as a map of one text key and a single-precision float (RFC 8949).
    private static byte[] ToCbor(float celsius)
    {
        byte[] value = [0xA1, 0x67, .. "celsius"u8, 0xFA, 0, 0, 0, 0];
        System.Buffers.Binary.BinaryPrimitives.WriteSingleBigEndian(value.AsSpan(value.Length - sizeof(float)), celsius);
        return value;
    }
}
