using System.Collections.Concurrent;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Hostile;

/// <summary>Handlers that read or delete, and remember whom they have served, on the server at the end of a wire.</summary>
internal sealed class ServedPaths(Wire wire) : IDisposable
{
    private readonly ConcurrentQueue<string> _served = new();

    /// <summary>The resources by the first segments of their paths.</summary>
    public Dictionary<string, Resource> Resources { get; } = [];

    /// <summary>Maps a resource whose changes take turns at each path.</summary>
    public Resource At(ResourceMap map, string name) =>
        Resources[name] = map.At($"{name}/{{name}}").WithTag(static _ => new ETag(new byte[] { 1 }));

    /// <summary>Counts the handlers that have begun to read.</summary>
    public SemaphoreSlim IsReading { get; } = new(0);

    /// <summary>The names of the peers that were served.</summary>
    public IEnumerable<string> Served => _served;

    public async ValueTask<CoapResponse> ReadAsync(IncomingRequest request, CancellationToken cancellationToken)
    {
        IsReading.Release();
        await request.Body.CopyToAsync(Stream.Null, cancellationToken);
        return Serve(request, Response.Changed);
    }

    public CoapResponse Read(IncomingRequest request)
    {
        IsReading.Release();
        request.Body.CopyTo(Stream.Null);
        return Serve(request, Response.Changed);
    }

    public CoapResponse Delete(IncomingRequest request) => Serve(request, Response.Deleted);

    /// <summary>Waits until so many requests wait for the turn of a path.</summary>
    public void AwaitWaiters(string path, int count, TimeSpan patience) =>
        SpinWait.SpinUntil(() => Resources[path[..path.IndexOf('/')]].Conditions!.Turns.CountOf($"/{path}") == count, patience)
            .Should().BeTrue();

    /// <summary>The codes of the messages that a peer was sent.</summary>
    public IReadOnlyList<int> CodesOf(ScriptedPeer peer) =>
        [.. wire.Sent(Direction.ToClient).Where(one => one.To == peer.Self).Select(static one => (int)one.Bytes[1])];

    /// <summary>Waits until what a peer was sent meets a condition. Handlers run on other threads.</summary>
    public void AwaitAnswer(LaneEnd server, ScriptedPeer peer, Func<IReadOnlyList<int>, bool> isEnough)
    {
        while (!wire.RunUntil(() => isEnough(CodesOf(peer)), TimeSpan.Zero)) { server.AwaitWork(); }
    }

    public void Dispose() => IsReading.Dispose();

    private CoapResponse Serve(IncomingRequest request, CoapResponse response)
    {
        _served.Enqueue(request.Peer.ToString());
        return response;
    }
}
