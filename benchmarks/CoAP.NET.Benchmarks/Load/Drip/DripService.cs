using System.Collections.Concurrent;
using CoAP.Tool.LoadEngine;

namespace CoAP.Benchmarks.Load;

/// <summary>A server in one mode that notes when it has deserialized each message. Its clock is that of the client.</summary>
internal static class DripService
{
    public static Task<IService> StartAsync(ServiceValues values)
    {
        var deserialized = new ConcurrentDictionary<string, long>();
        var settings = Limits.Server with
        {
            Mode = values.OneOf<ServerMode>("mode"),
            Stream = new StreamSettings { MaxMessageSize = 1 << 20, MessageTimeout = TimeSpan.FromDays(1), IdleTimeout = null },
            Links = [MeshLink.Filter(MeshArrow.MessagesIn, Note)],
        };
        return CoapService.StartAsync(settings, ["tcp", "udp"], server =>
        {
            var body = server.Resources.At("body").StreamsBody();
            if (settings.Mode != ServerMode.Sync)
            {
                body.Put(static async (request, cancellationToken) =>
                {
                    await request.Body.CopyToAsync(new CountingStream(), cancellationToken);
                    return Response.Changed;
                });
                return;
            }
            body.Put(static request =>
            {
                request.Body.CopyTo(new CountingStream());
                return Response.Changed;
            });
        }, token => $"{deserialized.GetValueOrDefault(token)}");

        // Runs on the lane behind the deserializer. Bodies come by PUT and are not noted.
        bool Note(ReceivedMessage received)
        {
            if (received.Message.Code == RequestCode.Post) { deserialized.TryAdd(received.Message.Token.ToString(), Clock.Now); }
            return true;
        }
    }
}
