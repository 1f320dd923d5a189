using CoAP.Accounting;

namespace CoAP.Tests.Siege.Wall;

/// <summary>Calls of authorizers that wait.</summary>
internal sealed record AuthorizationsLimit : Limit
{
    public override string Name => "authorizations";

    public override string Attack => "GET /guarded/attacker";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) => settings with { MaxPendingAuthorizations = 64 };

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        await honest.ProveAsync();
        (await honest.AskAsync("GET /guarded/honest")).Should().Be("", "its authorizer waits");
        fortress.Open("honest");
        (await honest.AwaitAnswerAsync()).Should().Be("2.05");
    }
}

/// <summary>The bytes of requests that handlers, authorizers or blocks hold.</summary>
internal abstract record HeldBytesLimit : Limit
{
    private const int Size = 1500;

    // The options of a request count too.
    private const int Most = Size + 100;

    private static readonly string Payload = new('x', Size);

    public override string Book => "bodies";

    public override string Attack => $"PUT /{Path}/attacker '{Payload}'";

    /// <summary>The path of the resource.</summary>
    protected abstract string Path { get; }

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) => settings with
    {
        ServerTransfers = settings.ServerTransfers with { MaxTotalSize = 64 << 10 },
        MaxPendingRequests = 4096,
    };

    public override bool IsFilled(AttackerKind attacker, LedgerBook book)
    {
        var share = attacker == AttackerKind.Forged ? book.Limit / 8 : book.Limit / 2;
        return book.Used <= share && book.Used > share - Most;
    }

    public override async Task ServeAsync(Guest honest, Fortress fortress)
    {
        await honest.ProveAsync();
        (await honest.AskAsync($"PUT /{Path}/honest '{Payload}'")).Should().Be("", "the request is held");
        fortress.Open("honest");
        (await honest.AwaitAnswerAsync()).Should().Be("2.04");
    }
}

/// <summary>Requests whose handlers wait for something.</summary>
internal sealed record HandlerBytesLimit : HeldBytesLimit
{
    public override string Name => "handler bytes";

    protected override string Path => "hold";
}

/// <summary>Requests that wait for a handler thread, or whose handler blocks it.</summary>
internal sealed record QueuedBytesLimit : HeldBytesLimit
{
    public override string Name => "queued bytes";

    protected override string Path => "queue";
}

/// <summary>Requests whose authorizers wait for something.</summary>
internal sealed record AuthorizerBytesLimit : HeldBytesLimit
{
    public override string Name => "authorizer bytes";

    protected override string Path => "guarded";
}

/// <summary>Requests that a user's block holds.</summary>
internal sealed record UserBlockBytesLimit : HeldBytesLimit
{
    public override string Name => "user block bytes";

    protected override string Path => "body";

    public override CoapServerSettings Apply(CoapServerSettings settings, Fortress fortress) =>
        base.Apply(settings, fortress) with { Links = [UserBlocksLimit.Detour(fortress, static request => request.Path.Split('/') is [_, "body", var gate] ? gate : null)] };
}
