using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>What a response means for the body that is being fetched. Whatever does not say <see cref="AskNext"/> has ended the transfer.</summary>
internal abstract record DownloadOutcome
{
    /// <summary>A part of the body is there; the option asks for the next one.</summary>
    public sealed record AskNext(ReadOnlyMemory<byte> Payload, Block2 Block) : DownloadOutcome;

    /// <summary>The last part of the body is there.</summary>
    public sealed record Completed(ReadOnlyMemory<byte> Payload) : DownloadOutcome;

    /// <summary>The response is an error: the caller sees it, and nothing more is asked for.</summary>
    public sealed record Rejected(CoapMessage Response) : DownloadOutcome;

    /// <summary>The representation is another one by now (RFC 7959, section 2.4).</summary>
    public sealed record Changed(string Reason) : DownloadOutcome;

    /// <summary>The server breaks the rules, or the body is larger than it may be.</summary>
    public sealed record Broken(string Reason) : DownloadOutcome;
}
