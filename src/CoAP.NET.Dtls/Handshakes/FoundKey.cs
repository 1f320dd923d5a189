namespace CoAP.Dtls;

/// <summary>What a key store has found for a client.</summary>
/// <param name="Key">A copy of the key; <see langword="null"/> if the store does not know the identity.</param>
/// <param name="Defect">What the store has thrown; <see langword="null"/> if it has not.</param>
internal readonly record struct FoundKey(byte[]? Key, CallbackException? Defect)
{
    /// <summary>Asks a store. Never throws.</summary>
    public static async ValueTask<FoundKey> AskAsync(IPskStore keys, PskRequest request, CancellationToken ended)
    {
        try { return new(await keys.FindAsync(request, ended).ConfigureAwait(true) is { } key ? [.. key] : null, null); }
        catch (Exception exception) // The edge to the code of the user. The handshake fails.
        {
            return new(null, new CallbackException("IPskStore.FindAsync", TlsFailure.Key, exception));
        }
    }
}
