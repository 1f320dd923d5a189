using CoAP;

namespace SampleRecipes;

/// <summary>The recipe of a server with all kinds of resources.</summary>
internal static class Serving
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        await using var server = new CoapServer();
        server.Use(next => async (request, stopping) =>
        {
            var response = await next(request, stopping);
            Console.WriteLine($"{request.Method} {request.Path}: {response.Code}");
            return response;
        });
        server.Resources.At("hello/{name}").Get(request => Response.Content($"Hello, {request["name"]}!"));
        server.Resources.Add("switch", new Switch());
        server.Resources.At("firmware").Get(_ => Response.Content(File.OpenRead("firmware.bin"), ContentFormats.OctetStream));
        var uptime = server.Resources.At("uptime").Get(_ => Response.Content($"{Environment.TickCount64} ms")).Observable();
        using var timer = new Timer(_ => uptime.NotifyChanged(), null, TimeSpan.Zero, TimeSpan.FromSeconds(1));
        await server.RunAsync(cancellationToken);
    }
}
