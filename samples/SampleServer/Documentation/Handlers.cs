using CoAP;

namespace SampleServer;

/// <summary>The handlers of the page "Answering requests".</summary>
internal static class Handlers
{
    public static void Map(
        ResourceMap resources, Func<string, CancellationToken, Task<string>> query, Func<string, string> read, Func<string> waitForAlarm)
    {
        // Asynchronous: starts at once and may await.
        resources.At("database/{key}").Get(async (request, cancellationToken) =>
        {
            var value = await query(request["key"], cancellationToken);
            return Response.Content(value);
        });

        // Synchronous: may block for a few milliseconds. The server learns on which thread to run it.
        resources.At("files/{name}").Get(request => Response.Content(read(request["name"])));

        // Synchronous, and always on a handler thread, because it waits for another request.
        resources.At("alarm").Get(_ => Response.Content(waitForAlarm()), HandlerMode.Buffered);
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
