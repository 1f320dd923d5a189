namespace CoAP.Blockwise;

/// <summary>What a response means for the body that is being sent. Whatever does not say <see cref="SendNext"/> has ended the transfer.</summary>
internal abstract record UploadOutcome
{
    /// <summary>The block was taken: send the one that begins at <see cref="BlockUpload.Offset"/>.</summary>
    public sealed record SendNext : UploadOutcome
    {
        private SendNext()
        {
        }

        public static SendNext Instance { get; } = new();
    }

    /// <summary>The body was taken; the response may be the first block of its own body.</summary>
    public sealed record Completed(CoapMessage Response) : UploadOutcome;

    /// <summary>The server does not want the body: the caller sees the code, and nothing more is sent.</summary>
    public sealed record Rejected(CoapMessage Response) : UploadOutcome;

    /// <summary>The server breaks the rules, or the body cannot be told in block numbers.</summary>
    public sealed record Broken(string Reason) : UploadOutcome;
}
