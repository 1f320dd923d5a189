using System.Collections.Concurrent;
using System.Net;
using CoAP.Accounting;

namespace CoAP.Tests.Siege.Wall;

/// <summary>A server under siege, and the way in which peers reach it.</summary>
internal abstract class Fortress : IAsyncDisposable
{
    private static readonly TimeSpan RealPatience = TimeSpan.FromMinutes(1);

    private readonly ConcurrentDictionary<string, TaskCompletionSource> _gates = [];

    /// <summary>The ledger of the server.</summary>
    public abstract Ledger Ledger { get; }

    /// <summary>Lets a peer with this address in.</summary>
    public abstract Task<Guest> AdmitAsync(IPEndPoint address);

    /// <summary>Runs the server until a condition holds, after all peers have left.</summary>
    public abstract Task RunUntilAsync(Func<bool> isDone);

    public abstract ValueTask DisposeAsync();

    /// <summary>Lets the handlers that wait for a gate continue.</summary>
    public void Open(string gate) => Gate(gate).TrySetResult();

    /// <summary>Completes when the gate is open.</summary>
    public Task PassAsync(string gate) => Gate(gate).Task;

    /// <summary>Waits for another thread.</summary>
    public static void Await(Func<bool> condition, Func<string> state) => SpinWait.SpinUntil(condition, RealPatience).Should().BeTrue(state());

    protected static CoapServerSettings Settings { get; } = new()
    {
        HandlerThreads = 16,
        BodyThreads = 16,
        MaxPendingRequests = 256,
        MaxHandlerQueue = 256,
        ServerObservations = new() { MaxObservations = 64 },
    };

    protected void OpenAll()
    {
        foreach (var gate in _gates.Values) { gate.TrySetResult(); }
    }

    protected void Map(ResourceMap map)
    {
        map.At("wait/{gate}").Get(async (request, _) =>
        {
            await Gate(request["gate"]).Task;
            return Response.Content("done");
        });
        map.At("block/{gate}").Get(
            request =>
            {
                Gate(request["gate"]).Task.GetAwaiter().GetResult();
                return Response.Content("done");
            },
            HandlerMode.Buffered);
        map.At("hold/{gate}").Put(async (request, _) =>
        {
            await Gate(request["gate"]).Task;
            return Response.Changed;
        });
        map.At("queue/{gate}").Put(
            request =>
            {
                Gate(request["gate"]).Task.GetAwaiter().GetResult();
                return Response.Changed;
            },
            HandlerMode.Buffered);
        map.At("guarded/{gate}").Get(static _ => Response.Content("done"), HandlerMode.Inline).Put(static _ => Response.Changed, HandlerMode.Inline)
            .Authorize(async (request, _) =>
            {
                await Gate(request["gate"]).Task;
                return AuthorizationDecision.Allow();
            });
        map.At("upload").Put(static request => Response.Content($"{Read(request)}"), HandlerMode.Buffered).StreamsBody();
        map.At("body").Put(static request => Response.Content($"{request.Payload.Length}"), HandlerMode.Inline);
        map.At("body/{gate}").Put(static _ => Response.Changed, HandlerMode.Inline);
        map.At("state").Observable().Get(static _ => Response.Content("a"), HandlerMode.Inline).Fetch(static _ => Response.Content("a"), HandlerMode.Inline);
        map.At("large").Get(static _ => Response.Content(new string('x', 5000)), HandlerMode.Inline);
    }

    // The gates of a waiting handler open on the thread of the test, which is the one that runs the wire.
    private TaskCompletionSource Gate(string name) => _gates.GetOrAdd(name, static _ => new TaskCompletionSource());

    private static long Read(IncomingRequest request)
    {
        var buffer = new byte[512];
        var length = 0;
        try
        {
            while (request.Body.Read(buffer) is var count and > 0) { length += count; }
        }
        catch (CoapTransferException)
        {
            // The peer has left.
        }
        return length;
    }
}
