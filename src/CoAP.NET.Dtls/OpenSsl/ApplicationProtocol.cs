using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>
/// The ALPN name of CoAP over DTLS, "co" (RFC 9952). A client offers it. A server confirms it, and also serves clients that offer no protocol, or only the name of
/// CoAP over TLS, "coap" (RFC 8323, section 8.2): programs that secure both in the same way offer it over DTLS too, and nothing else can be meant.
/// </summary>
internal static unsafe class ApplicationProtocol
{
    private const int Accepted = 0, FatalAlert = 2;

    private static ReadOnlySpan<byte> Name => "co"u8;

    private static ReadOnlySpan<byte> NameOverTls => "coap"u8;

    /// <summary>Offers or accepts the protocol in all handshakes of a context.</summary>
    /// <exception cref="CryptographicException">OpenSSL refuses it.</exception>
    public static void AddTo(SslContext context)
    {
        if (context.IsServer)
        {
            SslCalls.SetProtocolSelector(context, &Select, 0);
            return;
        }
        ReadOnlySpan<byte> list = [(byte)Name.Length, .. Name];
        fixed (byte* start = list)
        {
            if (SslCalls.SetProtocols(context, start, (uint)list.Length) != 0)
            {
                throw new CryptographicException($"OpenSSL refuses the application protocol: {CryptoCalls.TakeErrors()}");
            }
        }
    }

    // Called only if the client offers protocols. If CoAP is not one of them, the client expects something else (RFC 7301, section 3.2).
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static int Select(nint ssl, byte** selected, byte* selectedLength, byte* offered, uint offeredLength, nint argument)
    {
        var found = Find(offered, offeredLength, Name);
        if (found == null) { found = Find(offered, offeredLength, NameOverTls); }
        if (found == null) { return FatalAlert; }
        *selected = found + 1;
        *selectedLength = *found;
        return Accepted;
    }

    // Returns the length byte in front of a name; null if the client does not offer the name.
    private static byte* Find(byte* offered, uint length, ReadOnlySpan<byte> name)
    {
        for (uint at = 0; at < length && at + 1 + offered[at] <= length; at += 1U + offered[at])
        {
            if (new ReadOnlySpan<byte>(offered + at + 1, offered[at]).SequenceEqual(name)) { return offered + at; }
        }
        return null;
    }
}
