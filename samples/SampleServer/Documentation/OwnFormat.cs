using System.Buffers;
using System.Buffers.Binary;
using CoAP;

namespace SampleServer;

/// <summary>A temperature.</summary>
internal readonly record struct Celsius(float Degrees);

/// <summary>A temperature in four bytes.</summary>
internal sealed class TemperatureFormat() : PayloadFormat<Celsius>(65_000, "temperature")    // 65,000 to 65,535 are for experiments
{
    protected override void Write(IBufferWriter<byte> output, Celsius value)
    {
        BinaryPrimitives.WriteSingleBigEndian(output.GetSpan(sizeof(float)), value.Degrees);
        output.Advance(sizeof(float));
    }

    protected override Celsius Read(ReadOnlyMemory<byte> payload) => payload.Length == sizeof(float)
        ? new Celsius(BinaryPrimitives.ReadSingleBigEndian(payload.Span))
        : throw new CoapPayloadException($"A temperature has 4 bytes, not {payload.Length}.");
}

/// <summary>The code of the page "Your own option or format" that deals with formats.</summary>
internal static class OwnFormat
{
    public static CoapServer Create()
    {
        var latest = new Celsius(21.5f);
        var server = new CoapServer(new CoapServerSettings { Formats = PayloadFormats.Of(new TemperatureFormat()) });
        server.Resources.At("temperature")
            .Get(_ => Response.Content(latest))
            .Put(request =>
            {
                latest = request.Read<Celsius>();
                return Response.Changed;
            });
        return server;
    }

    public static async Task<float> ReadAsync(CancellationToken cancellationToken)
    {
        await using var client = new CoapClient(new CoapClientSettings { Formats = PayloadFormats.Of(new TemperatureFormat()) });
        var temperature = await client.GetAsync<Celsius>("coap://localhost/temperature", cancellationToken);
        return temperature.Degrees;
    }
}
