using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace CoAP.Dtls.OpenSsl;

/// <summary>
/// The ALPN name of CoAP over DTLS, "co" (RFC 9952). A client offers it. A server confirms it, and also serves clients that offer no protocol.
/// </summary>
internal static unsafe class ApplicationProtocol
{
    private const int Accepted = 0, FatalAlert = 2;

    private static ReadOnlySpan<byte> Name => "co"u8;

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
        for (uint at = 0; at < offeredLength && at + 1 + offered[at] <= offeredLength; at += 1U + offered[at])
        {
            if (!new ReadOnlySpan<byte>(offered + at + 1, offered[at]).SequenceEqual(Name)) { continue; }
            *selected = offered + at + 1;
            *selectedLength = offered[at];
            return Accepted;
        }
        return FatalAlert;
    }
}
