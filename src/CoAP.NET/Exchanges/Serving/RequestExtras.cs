using CoAP.Options;

namespace CoAP.Exchanges;

/// <summary>The state that only few requests need, in a separate object to keep the others small. Copies of a request do not share it.</summary>
internal sealed record RequestExtras
{
    public IncomingRequest? Root { get; init; }

    public Block1? LastBlock { get; init; }

    public IStreamedBody? Streamed { get; init; }

    public Stream? Body { get; set; }

    public object? Transfer { get; init; }

    public IAnswerTaker? Taker { get; init; }

    public PeerCredentials? Credentials { get; init; }

    public long AuthorizedUntil { get; init; }

    public long ObservedVersion { get; init; }
}
