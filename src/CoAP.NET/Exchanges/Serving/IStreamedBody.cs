namespace CoAP.Exchanges;

/// <summary>The body of a request whose handler runs while its blocks arrive.</summary>
internal interface IStreamedBody
{
    /// <summary>The exception that the reader gets when the transfer has ended; <see langword="null"/> before. Any thread.</summary>
    CoapTransferException? Failure { get; }

    /// <summary>Whether all bytes have arrived. Any thread.</summary>
    bool IsWhole { get; }

    /// <summary>Called when the handler has answered.</summary>
    void OnAnswer(CoapResponse response);

    /// <summary>Ends the transfer. The reader gets a <see cref="CoapTransferException"/> with the reason.</summary>
    void End(string reason);

    /// <summary>Ends the transfer unless all bytes have arrived.</summary>
    void EndIncomplete(string reason);
}
