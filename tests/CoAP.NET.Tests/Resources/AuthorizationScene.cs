using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>A server with an authorizer that the test controls, and a client. All times are simulated.</summary>
public abstract class AuthorizationScene : IDisposable
{
    private protected readonly Wire _wire = new(new ManualClock());
    private protected readonly ScriptedPeer _client;
    private protected readonly List<string> _asked = [];
    private protected readonly List<string> _handled = [];
    private protected readonly HashSet<string> _denied = [];
    private protected TaskCompletionSource<AuthorizationDecision>? _pending;
    private protected TimeSpan _lifetime;
    private protected CoapServerSettings _settings = new();
    private protected LaneEnd? _server;
    private protected Resource _resource = null!;

    protected AuthorizationScene() => _client = ScriptedPeer.Client(_wire);

    public void Dispose()
    {
        GC.SuppressFinalize(this);
        _client.Dispose();
        _server?.Dispose();
    }

    private protected void Serve(string path = "/r") => _server = LaneEnd.Server(
        _wire,
        map =>
        {
            if (path == "/stream") { map.At("stream").Authorize(Decide).Put(ReadAsync).StreamsBody(); }
            map.At("open").Get(_ => Response.Content("open"), HandlerMode.Inline);
            _resource = map.At("r").Observable().Authorize(Decide)
                .Get(request => Handle(request, Response.Content($"data of {request.Peer}, which takes more than one block")), HandlerMode.Inline)
                .Put(request => Handle(request, Response.Changed), HandlerMode.Inline);
        },
        _settings);

    private static async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return Response.Changed;
    }

    private CoapResponse Handle(IncomingRequest request, CoapResponse response)
    {
        _handled.Add(request.Peer.ToString());
        return response;
    }

    private ValueTask<AuthorizationDecision> Decide(RequestHead request, CancellationToken cancellationToken)
    {
        _asked.Add(request.Peer.ToString());
        if (_pending is { } pending) { return new(pending.Task); }
        return new(_denied.Contains(request.Peer.ToString()) ? AuthorizationDecision.Deny() : AuthorizationDecision.Allow(_lifetime));
    }

    private protected static void Observe(ScriptedPeer peer)
    {
        peer.Send("CON [0x00FF] GET /r (Token 0x01) {Observe: 0}");
        peer.TakeAll(seconds: 0);
    }
}
