using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The effect of a response on a download. Every outcome except <see cref="AskNext"/> ends the transfer.</summary>
internal abstract record DownloadOutcome
{
    /// <summary>A part of the body has arrived; the option requests the next one.</summary>
    public sealed record AskNext(ReadOnlyMemory<byte> Payload, Block2 Block) : DownloadOutcome;

    /// <summary>The last part of the body has arrived.</summary>
    public sealed record Completed(ReadOnlyMemory<byte> Payload) : DownloadOutcome;

    /// <summary>The response is an error, which is passed to the caller.</summary>
    public sealed record Rejected(CoapMessage Response) : DownloadOutcome;

    /// <summary>The representation has changed (RFC 7959, section 2.4).</summary>
    public sealed record Changed(string Reason) : DownloadOutcome;

    /// <summary>The server broke a rule, or the body is too large.</summary>
    public sealed record Broken(string Reason) : DownloadOutcome;
}
