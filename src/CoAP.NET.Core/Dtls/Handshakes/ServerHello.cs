using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The part of a ServerHello that a client checks itself (RFC 5246, section 7.4.1.3).</summary>
internal static class ServerHello
{
    private const int VersionLength = 2, SuiteAndCompression = 3;

    /// <summary>The type of the renegotiation indication. A client asks for it by a cipher suite (RFC 5746, section 3.4).</summary>
    private const ushort RenegotiationInfo = 0xFF01;

    /// <summary>
    /// Returns the type of an extension that a server may not send, because the client has not sent it (RFC 5246, section 7.4.1.4);
    /// <see langword="null"/> if there is none. OpenSSL refuses only the types that it knows.
    /// </summary>
    /// <param name="message">The whole ServerHello.</param>
    /// <param name="clientHello">The whole ClientHello.</param>
    public static ushort? FindUnrequested(ReadOnlySpan<byte> message, ReadOnlySpan<byte> clientHello)
    {
        var rest = message.Length > HandshakeHeader.Size + VersionLength + KeyBlock.RandomLength
            ? message[(HandshakeHeader.Size + VersionLength + KeyBlock.RandomLength)..] : default;
        if (!ClientHello.TryTake(ref rest, 1, out _) || rest.Length < SuiteAndCompression) { return null; }
        rest = rest[SuiteAndCompression..];
        if (!ClientHello.TryTake(ref rest, sizeof(ushort), out var extensions)) { return null; }
        while (extensions.Length >= sizeof(ushort))
        {
            var type = BinaryPrimitives.ReadUInt16BigEndian(extensions);
            if (type != RenegotiationInfo && !ClientHello.TryFindExtension(clientHello, type, out _)) { return type; }
            extensions = extensions[sizeof(ushort)..];
            if (!ClientHello.TryTake(ref extensions, sizeof(ushort), out _)) { return null; }
        }
        return null;
    }
}
