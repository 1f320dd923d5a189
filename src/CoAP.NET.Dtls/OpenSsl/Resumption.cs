using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>The settings for resumption on a server: with a ticket (RFC 5077), or by ID for clients without tickets (RFC 5246, section 7.3).</summary>
/// <param name="Lifetime">The time for which a session can be resumed.</param>
/// <param name="TicketKey">The secret that protects the tickets. Servers with the same secret resume each other's sessions.</param>
/// <param name="MaxSessions">The largest number of sessions that each context keeps by ID.</param>
internal sealed record Resumption(TimeSpan Lifetime, byte[] TicketKey, int MaxSessions)
{
    private const int KeysLength = 80;      // a name, a key for HMAC and one for AES-256

    /// <summary>Enables resumption for all handshakes of a context.</summary>
    /// <param name="context">The context of a server.</param>
    /// <exception cref="CryptographicException">OpenSSL refuses it.</exception>
    public unsafe void AddTo(SslContext context)
    {
        Span<byte> keys = stackalloc byte[KeysLength];
        HKDF.DeriveKey(HashAlgorithmName.SHA256, TicketKey, keys, salt: [], info: "CoAP.NET ticket"u8);
        fixed (byte* start = keys, id = context.Kind)
        {
            var isSet = SslCalls.ControlContext(context, SslCalls.SetTicketKeys, KeysLength, (nint)start) == 1
                && SslCalls.SetSessionIdContext(context, id, (uint)context.Kind.Length) == 1;
            if (!isSet) { throw new CryptographicException($"OpenSSL refuses the keys of tickets: {CryptoCalls.TakeErrors()}"); }
        }
        _ = SslCalls.SetTimeout(context, (long)Lifetime.TotalSeconds);
        _ = SslCalls.ControlContext(context, SslCalls.SetCacheSize, MaxSessions, 0);
        _ = SslCalls.ControlContext(context, SslCalls.SetCacheMode, SslCalls.ServerCache, 0);
        CryptographicOperations.ZeroMemory(keys);
    }
}
