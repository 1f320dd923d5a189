using System.Diagnostics;
using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>Creates the activities of the source "CoAP.NET", one for each request sent or handled. Creates none if there is no listener.</summary>
internal static class CoapTracing
{
    private static readonly ActivitySource Source = new(CoapTelemetry.ActivitySourceName);

    public static bool IsWanted => Source.HasListeners();

    public static Activity? StartClient(CoapRequest request, PeerIdentity peer) => Start(request.Method, ActivityKind.Client, peer);

    public static Activity? StartServer(CoapCode method, string path, PeerIdentity peer) =>
        Start(method, ActivityKind.Server, peer)?.SetTag("url.path", path);

    private static Activity? Start(CoapCode method, ActivityKind kind, PeerIdentity peer) => Source.StartActivity($"CoAP {method}", kind)?
        .SetTag("coap.request.method", method.ToString()).SetTag("network.peer.address", peer.ToString());

    public static void End(Activity? activity, CoapCode code)
    {
        activity?.SetTag("coap.response.code", code.ToString());
        if (code.IsServerError) { activity?.SetStatus(ActivityStatusCode.Error); }
        activity?.Dispose();
    }

    public static void Fail(Activity? activity, Exception error)
    {
        activity?.SetTag("error.type", error.GetType().Name);
        activity?.SetStatus(ActivityStatusCode.Error, error.Message);
        activity?.Dispose();
    }
}
