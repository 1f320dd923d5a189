using CoAP.Vocabulary;

namespace CoAP.Exchanges;

/// <summary>The log messages about received requests. Messages about the same resource are similar, whatever the values of its placeholders.</summary>
internal static class RequestLog
{
    public static void HandlerFailed(this EndpointLog log, Exception exception, IncomingRequest request)
    {
        if (!log.TryPass(LogEvent.HandlerFailed, request.Route?.Template, out var held)) { return; }
        Log.HandlerFailed(log.Logger, exception, PathOf(request), request.Message.Token, request.Peer, held);
    }

    public static void AuthorizerFailed(this EndpointLog log, Exception exception, IncomingRequest request)
    {
        if (!log.TryPass(LogEvent.AuthorizerFailed, request.Route?.Template, out var held)) { return; }
        Log.AuthorizerFailed(log.Logger, exception, PathOf(request), request.Message.Token, request.Peer, held);
    }

    public static void AuthorizerTooSlow(this EndpointLog log, TimeSpan timeout, IncomingRequest request)
    {
        if (!log.TryPass(LogEvent.AuthorizerTooSlow, request.Route?.Template, out var held)) { return; }
        Log.AuthorizerTooSlow(log.Logger, timeout.TotalSeconds, PathOf(request), request.Message.Token, request.Peer, held);
    }

    public static void AuthorizerHeldLane(this EndpointLog log, TimeSpan took, IncomingRequest request)
    {
        var template = request.Route?.Template;
        if (log.TryPass(LogEvent.AuthorizerHeldLane, template, out var held)) { Log.AuthorizerHeldLane(log.Logger, template ?? PathOf(request), took.TotalSeconds, held); }
    }

    public static void HandlerReturnedNull(this EndpointLog log, IncomingRequest request)
    {
        if (!log.TryPass(LogEvent.HandlerReturnedNull, request.Route?.Template, out var held)) { return; }
        Log.HandlerReturnedNull(log.Logger, PathOf(request), request.Message.Token, request.Peer, held);
    }

    public static void RequestFailed(this EndpointLog log, Exception exception, IncomingRequest request)
    {
        if (!log.TryPass(LogEvent.RequestFailed, request.Route?.Template, out var held)) { return; }
        Log.RequestFailed(log.Logger, exception, PathOf(request), request.Message.Token, request.Peer, held);
    }

    public static void BodyTooLarge(this EndpointLog log, IncomingRequest request, int size, int limit)
    {
        if (!log.TryPass(LogEvent.BodyTooLarge, request.Route?.Template, out var held)) { return; }
        Log.BodyTooLarge(log.Logger, PathOf(request), size, limit, held);
    }

    /// <summary>Writes the line of an answered request, if such lines are wanted.</summary>
    public static void Answered(this EndpointLog log, IncomingRequest request, CoapCode code)
    {
        if (!log.WritesRequests || !request.RepliesToPeer || request.End is not null) { return; }
        Log.Answered(log.Logger, CodeNames.OfMethod(request.Method), PathOf(request), request.Message.Token, request.Peer, code);
    }

    /// <summary>Writes the line of a request whose client wants no response, if such lines are wanted.</summary>
    public static void Suppressed(this EndpointLog log, IncomingRequest request, CoapCode code)
    {
        if (!log.WritesRequests || request.End is not null) { return; }
        Log.Suppressed(log.Logger, CodeNames.OfMethod(request.Method), PathOf(request), request.Message.Token, request.Peer, code);
    }

    /// <summary>Returns the path of a request as a text for logs.</summary>
    public static string PathOf(IncomingRequest request) => ForeignText.Clean(request.Path);
}
