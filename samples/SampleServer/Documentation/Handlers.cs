using CoAP;

namespace SampleServer;

/// <summary>The handlers of the page "Answering requests".</summary>
internal static class Handlers
{
    public static void Map(ResourceMap resources, Func<string, CancellationToken, Task<string>> query, Func<string, string> read)
    {
        // Asynchronous: starts at once and may await.
        resources.At("database/{key}").Get(async (request, cancellationToken) =>
        {
            var value = await query(request["key"], cancellationToken);
            return Response.Content(value);
        });

        // Synchronous: runs on a thread of its own and may block.
        resources.At("files/{name}").Get(request => Response.Content(read(request["name"])));

        // Synchronous and quick: runs on the thread that received the request.
        resources.At("version").Get(_ => Response.Content("1.4.2"), HandlerMode.Inline);
    }

    public static void MapDevice(ResourceMap resources)
    {
        resources.At("register").Post(async (request, cancellationToken) =>
        {
            var model = await request.Channel.SendAsync(new CoapRequest(RequestCode.Get, "/model"), cancellationToken);
            Console.WriteLine($"{request.Peer} is a {model.PayloadText}");
            return Response.Changed;
        });
    }
}
