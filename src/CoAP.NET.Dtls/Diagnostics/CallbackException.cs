using System.Security.Cryptography;

namespace CoAP.Dtls;

/// <summary>User code that a handshake has called has thrown an exception, so the handshake fails.</summary>
/// <param name="callback">The name of the callback.</param>
/// <param name="failure">The part of the handshake that fails.</param>
/// <param name="thrown">The exception of the user code.</param>
internal sealed class CallbackException(string callback, TlsFailure failure, Exception thrown)
    : CryptographicException($"{callback} threw {thrown.GetType().Name}: {thrown.Message.TrimEnd('.')}", thrown)
{
    /// <summary>The name of the callback.</summary>
    public string Callback => callback;

    /// <summary>The part of the handshake that fails.</summary>
    public TlsFailure Failure => failure;

    /// <summary>Calls a callback.</summary>
    /// <exception cref="CallbackException">The callback has thrown an exception.</exception>
    public static T Call<T>(string callback, TlsFailure failure, Func<T> call)
    {
        try { return call(); }
        catch (Exception exception) // The edge to the code of the user.
        {
            throw new CallbackException(callback, failure, exception);
        }
    }
}
