using System.Collections.Concurrent;
using CoAP;

namespace SampleServer;

/// <summary>The server of the README.</summary>
internal static class TenLines
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        var notes = new ConcurrentDictionary<string, byte[]>();

        await using var server = new CoapServer();
        server.Resources.At("hello").Get(_ => Response.Content("Hello, CoAP!"));
        server.Resources.At("store/{name}")
            .Get(request => notes.TryGetValue(request["name"], out var note) ? Response.Content(note, ContentFormats.TextPlain) : Response.NotFound)
            .Put(request => { notes[request["name"]] = request.Payload.ToArray(); return Response.Changed; })
            .Delete(request => { notes.TryRemove(request["name"], out var _); return Response.Deleted; });
        await server.RunAsync(cancellationToken);
    }
}
