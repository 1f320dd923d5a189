using System.Buffers.Binary;
using CoAP;

namespace SampleServer;

/// <summary>A temperature in four bytes.</summary>
internal readonly record struct Reading(float Celsius)
{
    public const uint Format = 65_000;      // 65,000 to 65,535 are for experiments (RFC 7252, section 12.3)

    public byte[] ToBytes()
    {
        var bytes = new byte[sizeof(float)];
        BinaryPrimitives.WriteSingleBigEndian(bytes, Celsius);
        return bytes;
    }

    public static Reading Parse(ReadOnlySpan<byte> bytes) => bytes.Length == sizeof(float)
        ? new Reading(BinaryPrimitives.ReadSingleBigEndian(bytes))
        : throw new CoapResponseException(ResponseCode.BadRequest, $"A reading has 4 bytes, not {bytes.Length}.");
}

/// <summary>The code of the page "Your own option or format" that deals with formats.</summary>
internal static class OwnFormat
{
    public static void Map(ResourceMap resources)
    {
        var latest = new Reading(21.5f);
        resources.At("reading")
            .Get(request => request.Accept == ContentFormats.TextPlain
                ? Response.Content($"{latest.Celsius} degrees")
                : Response.Content(latest.ToBytes(), Reading.Format))
            .Put(request =>
            {
                latest = Reading.Parse(request.Payload.Span);
                return Response.Changed;
            })
            .Consumes(Reading.Format)
            .Produces(Reading.Format, ContentFormats.TextPlain);
    }

    public static async Task<Reading> ReadAsync(CoapClient client, CancellationToken cancellationToken)
    {
        var response = await client.GetAsync("coap://localhost/reading", cancellationToken);
        response.EnsureSuccess();
        return response.ContentFormat == Reading.Format
            ? Reading.Parse(response.Payload.Span)
            : throw new InvalidOperationException($"The server answered in format {response.ContentFormat}.");
    }
}
