using System.Net;
using System.Threading.Tasks.Dataflow;
using CoAP;

namespace SampleServer;

/// <summary>The code of the page "Put your own block into the mesh".</summary>
internal static class Blocks
{
    public static async Task TapAsync(Func<IncomingRequest[], Task> store, CancellationToken cancellationToken)
    {
        var batches = new BatchBlock<IncomingRequest>(batchSize: 100);
        var writer = new ActionBlock<IncomingRequest[]>(store);
        using var link = batches.LinkTo(writer, new DataflowLinkOptions { PropagateCompletion = true });

        var settings = new CoapServerSettings { Links = [MeshLink.Tap(MeshArrow.Requests, batches)] };
        await using (var server = new CoapServer(settings))
        {
            server.Resources.At("readings").Post(_ => Response.Changed);
            await server.RunAsync(cancellationToken);
        }

        batches.Complete();         // writes the last, smaller batch
        await writer.Completion;
    }

    public static CoapServerSettings WithFilter(IReadOnlySet<IPAddress> blocked)
    {
        bool IsAllowed(IncomingRequest request) => request.Peer.ToIPEndPoint() is not { } sender || !blocked.Contains(sender.Address);

        return new CoapServerSettings { Links = [MeshLink.Filter<IncomingRequest>(MeshArrow.Requests, IsAllowed)] };
    }

    public static CoapServerSettings WithDetour(Func<IncomingRequest, Task> audit)
    {
        IPropagatorBlock<IncomingRequest, IncomingRequest> CreateAudit() => new TransformBlock<IncomingRequest, IncomingRequest>(async request =>
        {
            await audit(request);
            return request;
        });

        return new CoapServerSettings { Links = [MeshLink.Through(MeshArrow.Requests, CreateAudit, OverflowRule.Drop, capacity: 1_000)] };
    }

    public static void AddStep(CoapServer server, Action<string> log)
    {
        server.Use(next => async (request, cancellationToken) =>
        {
            var response = await next(request, cancellationToken);
            log($"{request.Method} {request.Path}: {response.Code}");
            return response;
        });
    }
}
