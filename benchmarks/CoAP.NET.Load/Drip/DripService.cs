using System.Collections.Concurrent;

namespace CoAP.Load;

/// <summary>A server in one mode that notes when each message was deserialized, on the clock that its client reads too.</summary>
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
            if (settings.Mode == ServerMode.Sync) { body.Put(Take); }
            else { body.Put(static (request, _) => TakeAsync(request)); }
        }, token => $"{deserialized.GetValueOrDefault(token)}");

        // Runs on the lane between the deserializer and everything else. Bodies are put and not dripped; noting them would pile up.
        bool Note(ReceivedMessage received)
        {
            if (received.Message.Code == RequestCode.Post) { deserialized.TryAdd(received.Message.Token.ToString(), Clock.Now); }
            return true;
        }
    }

    private static CoapResponse Take(IncomingRequest request)
    {
        request.Body.CopyTo(new CountingStream());
        return Response.Changed;
    }

    private static async ValueTask<CoapResponse> TakeAsync(IncomingRequest request)
    {
        await request.Body.CopyToAsync(new CountingStream());
        return Response.Changed;
    }
}
