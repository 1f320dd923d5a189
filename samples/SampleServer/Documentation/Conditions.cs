using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using CoAP;
using CoAP.Options;

namespace SampleServer;

/// <summary>The conditional requests of the page "Answering requests".</summary>
internal static class Conditions
{
    public static void Map(ResourceMap resources)
    {
        var notes = new ConcurrentDictionary<string, string>();

        resources.At("notes/{name}")
            .WithTag(request => notes.TryGetValue(request["name"], out var note) ? TagOf(note) : null)
            .Get(request => notes.TryGetValue(request["name"], out var note) ? Response.Content(note) : Response.NotFound)
            .Put(request =>
            {
                notes[request["name"]] = request.PayloadText;
                return Response.Changed;
            });
    }

    private static ETag TagOf(string note) => new(SHA256.HashData(Encoding.UTF8.GetBytes(note)).AsMemory(0, 8));
}
