namespace CoAP;

/// <summary>Finds the pre-shared keys of clients, for example in a database. <see cref="PskStore"/> has the usual forms.</summary>
public interface IPskStore
{
    /// <summary>
    /// Returns the key of an identity; <see langword="null"/> if there is none. The handshake then fails as with a wrong key.
    /// </summary>
    /// <param name="request">What the client has sent. Nothing has proven yet that it has the key.</param>
    /// <param name="cancellationToken">Canceled when the time of the handshake is over.</param>
    /// <remarks>Called for several clients at the same time. An exception is logged, and the handshake fails. So is a key that is empty or longer than 256 bytes.</remarks>
    ValueTask<byte[]?> FindAsync(PskRequest request, CancellationToken cancellationToken);
}
