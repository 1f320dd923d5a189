using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>The resources of the page "Bodies of any size".</summary>
internal static class Bodies
{
    public static void Map(ResourceMap resources)
    {
        resources.At("firmware/{device}")
            .Put(async (request, cancellationToken) =>
            {
                var path = Path.GetTempFileName();
                await using var file = File.Create(path);
                await request.Body.CopyToAsync(file, cancellationToken);
                Console.WriteLine($"{file.Length} bytes for {request["device"]} are in {path}");
                return Response.Changed;
            })
            .StreamsBody(maxSize: 64 << 20);

        resources.At("firmware").Get(_ =>
        {
            var version = new ETag("1.4.2"u8.ToArray());
            return Response.Content(File.OpenRead("firmware.bin"), ContentFormats.OctetStream, length: null, version);
        });
    }
}
