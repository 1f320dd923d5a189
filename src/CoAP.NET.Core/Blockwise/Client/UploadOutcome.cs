namespace CoAP.Blockwise;

/// <summary>The effect of a response on an upload. Every outcome except <see cref="SendNext"/> ends the transfer.</summary>
internal abstract record UploadOutcome
{
    /// <summary>The block was accepted: send the block at <see cref="BlockUpload.Offset"/>.</summary>
    public sealed record SendNext : UploadOutcome;

    /// <summary>The body was accepted. The response may be the first block of a response body.</summary>
    public sealed record Completed(CoapMessage Response) : UploadOutcome;

    /// <summary>The server rejected the body. The code is passed to the caller.</summary>
    public sealed record Rejected(CoapMessage Response) : UploadOutcome;

    /// <summary>The server broke a rule, or the body is too large for block numbers.</summary>
    public sealed record Broken(string Reason) : UploadOutcome;
}
