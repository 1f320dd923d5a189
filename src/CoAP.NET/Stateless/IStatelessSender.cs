namespace CoAP;

/// <summary>Finds out which token lengths endpoints accept (RFC 8974); see also <see cref="StatelessExtensions"/>.</summary>
public interface IStatelessSender : IRequestSender
{
    /// <summary>
    /// Returns <see langword="true"/> if an endpoint accepts tokens of the given length in requests (RFC 8974, section 2.2). Over datagrams the first call
    /// sends a confirmable GET with such a token. The result is remembered for 30 minutes, or for one minute if there was no response.
    /// </summary>
    /// <param name="uri">An absolute URI of the endpoint; its path is ignored.</param>
    /// <param name="length">The length in bytes, 0 to 65,804. Every endpoint accepts up to 8 bytes.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <exception cref="ArgumentOutOfRangeException">The length is negative or above 65,804.</exception>
    /// <exception cref="FormatException">The URI is malformed.</exception>
    /// <exception cref="CoapTransportException">The name has no address, the network failed, or the connection ended.</exception>
    /// <exception cref="OperationCanceledException">The token was canceled.</exception>
    ValueTask<bool> SupportsTokenLengthAsync(string uri, int length, CancellationToken cancellationToken = default);

    /// <summary>
    /// Returns <see langword="true"/> if an endpoint accepts tokens of the given length in requests (RFC 8974, section 2.2). Blocks the calling thread.
    /// </summary>
    /// <inheritdoc cref="SupportsTokenLengthAsync" path="/param|/exception"/>
    bool SupportsTokenLength(string uri, int length, CancellationToken cancellationToken = default);
}
