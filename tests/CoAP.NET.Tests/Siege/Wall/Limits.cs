using System.Threading.Tasks.Dataflow;
using CoAP.Accounting;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Requests whose handlers wait.</summary>
internal record RequestsLimit : Limit
{
    public override string Name => "requests";

    public override string Attack => "GET /wait/attacker";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) => settings with { MaxPendingRequests = 64 };

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        await honest.ProveAsync();
        (await honest.AskAsync("GET /wait/honest")).Should().Be("", "its handler waits");
        fortress.Open("honest");
        (await honest.AwaitAnswerAsync()).Should().Be("2.05");
    }
}

/// <summary>Requests without a resource, which a step delays.</summary>
internal sealed record StepsLimit : RequestsLimit
{
    public override string Name => "steps";

    public override string Book => "requests";

    public override string Attack => "GET /nowhere/attacker";

    public override Func<RequestDelegate, RequestDelegate>[] StepsOf(Fortress fortress) =>
    [
        next => async (request, cancellationToken) =>
        {
            if (request.Path == "/nowhere/attacker") { await fortress.PassAsync("attacker"); }
            return await next(request, cancellationToken);
        },
    ];
}

/// <summary>Requests that a user's block holds.</summary>
internal sealed record UserBlocksLimit : RequestsLimit
{
    public override string Name => "user blocks";

    public override string Book => "requests";

    public override string Attack => "GET /state?attacker";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) =>
        base.Apply(settings, fortress) with { Links = [Detour(fortress, static request => request.Query("attacker") is null ? null : "attacker")] };

    /// <summary>Sends requests through a block that holds each until its gate is open.</summary>
    public static MeshLink Detour(Fortress fortress, Func<IncomingRequest, string?> gateOf) =>
        MeshLink.Through(MeshArrow.Requests, () => BlockOf(fortress, gateOf));

    private static TransformBlock<IncomingRequest, IncomingRequest> BlockOf(Fortress fortress, Func<IncomingRequest, string?> gateOf) => new(
        async request =>
        {
            if (gateOf(request) is { } gate) { await fortress.PassAsync(gate); }
            return request;
        },
        new() { MaxDegreeOfParallelism = DataflowBlockOptions.Unbounded, EnsureOrdered = false });
}

/// <summary>Requests that wait for a thread, or whose handler has one.</summary>
internal sealed record HandlerQueueLimit : Limit
{
    public override string Name => "handler queue";

    public override string Attack => "GET /block/attacker";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) => settings with { MaxHandlerQueue = 64 };

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        fortress.Open("honest");
        (await honest.AskHonestlyAsync("GET /block/honest")).Should().Be("2.05");
    }
}

/// <summary>Handlers that block their threads. Further requests wait in the queue.</summary>
internal sealed record HandlerThreadsLimit : Limit
{
    public override string Name => "handler threads";

    public override string Attack => "GET /block/attacker";

    public override Task ServeAsync(Guest honest, Fortress fortress) => new HandlerQueueLimit().ServeAsync(honest, fortress);
}

/// <summary>Handlers that read a body which does not come. Further ones wait in the queue.</summary>
internal sealed record BodyThreadsLimit : Limit
{
    public override string Name => "body threads";

    public override string Attack => $"PUT /upload {{Block1: 0/1/512}} '{Block}'";

    // No body is opened for an address that may be forged.
    public override bool IsFilled(AttackerKind attacker, LedgerBook book) => book.Used == (attacker == AttackerKind.Forged ? 0 : book.Limit / 2);

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        (await honest.AskHonestlyAsync(Attack)).Should().Be("2.31");
        (await honest.AskHonestlyAsync("PUT /upload {Block1: 1/0/512} 'end'")).Should().Be("2.05");
    }
}

/// <summary>Bodies that are not continued.</summary>
internal sealed record BodiesLimit : Limit
{
    public override string Name => "bodies";

    public override string Attack => $"PUT /body {{Block1: 0/1/512}} '{Block}'";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) =>
        settings with { ServerTransfers = settings.ServerTransfers with { MaxTotalSize = 64 << 10 } };

    public override string RefusalOf(AttackerKind attacker) => attacker == AttackerKind.Forged ? Challenged : Unavailable;

    public override bool IsFilled(AttackerKind attacker, LedgerBook book) =>
        attacker == AttackerKind.Forged ? book.Used == 0 : book.Used <= book.Limit / 2 && book.Used > book.Limit / 4;

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        (await honest.AskHonestlyAsync(Attack)).Should().Be("2.31");
        (await honest.AskHonestlyAsync("PUT /body {Block1: 1/0/512} 'end'")).Should().Be("2.05");
    }
}

/// <summary>Observers.</summary>
internal sealed record ObservationsLimit : Limit
{
    public override string Name => "observations";

    public override string Attack => "GET /state {Observe: 0}";

    // A server that does not register an observer answers as if it had not been asked to (RFC 7641, section 4.1).
    public override string RefusalOf(AttackerKind attacker) => attacker == AttackerKind.Forged ? Challenged : "2.05";

    public override async Task ServeAsync(Guest honest, Fortress fortress) =>
        (await honest.AskHonestlyAsync("GET /state {Observe: 0}")).Should().Be("2.05 observed");
}

/// <summary>The options of requests, which observations keep.</summary>
internal sealed record ObservedOptionsLimit : ObservedBodiesLimit
{
    public override string Name => "observed options";

    public override string Attack => $"GET /state?{Block[..240]}&{Block[..240]} {{Observe: 0}}";
}

/// <summary>The bodies of FETCH requests, which observations keep.</summary>
internal record ObservedBodiesLimit : Limit
{
    public override string Name => "observed bodies";

    public override string Book => "bodies";

    public override string Attack => $"FETCH /state {{Observe: 0, Content-Format: 0}} '{Block}'";

    // One more item does not fit.
    public override bool IsFilled(AttackerKind attacker, LedgerBook book) =>
        book.Used > (attacker == AttackerKind.Forged ? book.Limit / 8 : book.Limit / 2) - (2 * Block.Length);

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) =>
        new BodiesLimit().Apply(settings, fortress) with { ServerObservations = new() { MaxObservations = 1000 } };

    public override string RefusalOf(AttackerKind attacker) => new ObservationsLimit().RefusalOf(attacker);

    public override async Task ServeAsync(Guest honest, Fortress fortress) => (await honest.AskHonestlyAsync(Attack)).Should().Be("2.05 observed");
}
