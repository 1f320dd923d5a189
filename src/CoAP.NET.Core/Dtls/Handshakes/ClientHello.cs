using System.Buffers.Binary;

namespace CoAP.Dtls;

/// <summary>The part of a ClientHello that a server needs to answer it without state (RFC 6347, section 4.2.1).</summary>
/// <remarks>The first fragment contains it, even if the extensions of a large hello are in later fragments.</remarks>
internal readonly ref struct ClientHello
{
    /// <summary>The types of certificates: those of X.509, and those that are only a public key (RFC 7250, section 3).</summary>
    public const byte Certificate = 0, RawPublicKey = 2;

    private const int VersionLength = 2;
    private const int MaxSessionId = 32;
    private const int MaxServerName = 255;      // the length of a name in the DNS

    private ClientHello(HandshakeHeader header, ReadOnlySpan<byte> parameters, ReadOnlySpan<byte> cookie)
    {
        Header = header;
        Parameters = parameters;
        Cookie = cookie;
    }

    public HandshakeHeader Header { get; }

    /// <summary>Version, random and session ID. The cookie covers them, and the client repeats them unchanged.</summary>
    public ReadOnlySpan<byte> Parameters { get; }

    /// <summary>The random bytes of the client.</summary>
    public ReadOnlySpan<byte> Random => Parameters.Slice(VersionLength, KeyBlock.RandomLength);

    /// <summary>The cookie; empty in the first hello.</summary>
    public ReadOnlySpan<byte> Cookie { get; }

    /// <summary>Reads the first fragment of a ClientHello. Returns <see langword="false"/> if it is something else or malformed.</summary>
    public static bool TryRead(ReadOnlySpan<byte> content, out ClientHello hello)
    {
        hello = default;
        if (!HandshakeHeader.TryRead(content, out var header) || header is not { Type: HandshakeType.ClientHello, FragmentOffset: 0 }) { return false; }
        var body = content.Slice(HandshakeHeader.Size, header.FragmentLength);
        const int SessionIdAt = VersionLength + KeyBlock.RandomLength;
        if (body.Length <= SessionIdAt || body[SessionIdAt] > MaxSessionId) { return false; }
        var cookieAt = SessionIdAt + 1 + body[SessionIdAt];
        if (body.Length <= cookieAt || body.Length < cookieAt + 1 + body[cookieAt]) { return false; }
        hello = new(header, body[..cookieAt], body.Slice(cookieAt + 1, body[cookieAt]));
        return true;
    }

    /// <summary>Writes the HelloVerifyRequest that asks the client for a cookie. Its numbers are those of the hello. Returns the length of the record.</summary>
    /// <param name="hello">The hello.</param>
    /// <param name="number">The number of the hello's record.</param>
    /// <param name="cookie">The cookie.</param>
    /// <param name="destination">The buffer for the record.</param>
    public static int WriteVerifyRequest(in ClientHello hello, RecordNumber number, ReadOnlySpan<byte> cookie, Span<byte> destination)
    {
        var body = VersionLength + 1 + cookie.Length;
        var at = DtlsRecord.WriteHeader(destination, ContentType.Handshake, number, default, HandshakeHeader.Size + body);
        BinaryPrimitives.WriteUInt16BigEndian(destination[1..], DtlsRecord.OldVersion);
        new HandshakeHeader(HandshakeType.HelloVerifyRequest, body, hello.Header.Sequence, 0, body).Write(destination[at..]);
        at += HandshakeHeader.Size;
        BinaryPrimitives.WriteUInt16BigEndian(destination[at..], DtlsRecord.OldVersion);
        destination[at + VersionLength] = (byte)cookie.Length;
        cookie.CopyTo(destination[(at + VersionLength + 1)..]);
        return at + body;
    }

    /// <summary>Returns the cipher suites of a whole ClientHello, two bytes each; empty if it is malformed.</summary>
    public static ReadOnlySpan<byte> SuitesOf(ReadOnlySpan<byte> message)
    {
        var rest = BehindCookie(message);
        return TryTake(ref rest, sizeof(ushort), out var suites) ? suites : [];
    }

    /// <summary>
    /// Returns the server name of a whole ClientHello in lower case (RFC 6066, section 3); empty if it has none, is malformed, or the name is too long. Different bytes
    /// have different names, although a name should be ASCII.
    /// </summary>
    public static string ServerNameOf(ReadOnlySpan<byte> message)
    {
        TryFindExtension(message, type: 0, out var content);
        if (!TryTake(ref content, sizeof(ushort), out var names)) { return ""; }
        // The only type of name is 0, a host name.
        return names.Length > 1 && names[0] == 0 && TryTake(ref names, sizeof(ushort), out var name, skip: 1) && name.Length <= MaxServerName ? System.Text.Encoding.Latin1.GetString(name).ToLowerInvariant() : "";
    }

    /// <summary>Returns the types of server certificates that a client accepts, one byte each (RFC 7250, section 3); empty if it names none.</summary>
    public static ReadOnlySpan<byte> ServerKeyTypesOf(ReadOnlySpan<byte> message)
    {
        TryFindExtension(message, type: 20, out var content);
        return TryTake(ref content, 1, out var types) ? types : [];
    }

    /// <summary>Returns whether a whole ClientHello has an extension. Its content is empty if it has none or is malformed.</summary>
    public static bool TryFindExtension(ReadOnlySpan<byte> message, ushort type, out ReadOnlySpan<byte> content)
    {
        content = default;
        var rest = BehindCookie(message);
        if (!TryTake(ref rest, sizeof(ushort), out _) || !TryTake(ref rest, 1, out _) || !TryTake(ref rest, sizeof(ushort), out var extensions)) { return false; }
        while (extensions.Length >= sizeof(ushort))
        {
            var found = BinaryPrimitives.ReadUInt16BigEndian(extensions);
            extensions = extensions[sizeof(ushort)..];
            if (!TryTake(ref extensions, sizeof(ushort), out var candidate)) { return false; }
            if (found != type) { continue; }
            content = candidate;
            return true;
        }
        return false;
    }

    /// <summary>Takes a vector with a length of one or two bytes in front (RFC 5246, section 4.3).</summary>
    public static bool TryTake(scoped ref ReadOnlySpan<byte> rest, int lengthBytes, out ReadOnlySpan<byte> vector, int skip = 0)
    {
        vector = default;
        if (rest.Length < skip + lengthBytes) { return false; }
        rest = rest[skip..];
        var length = lengthBytes == 1 ? rest[0] : BinaryPrimitives.ReadUInt16BigEndian(rest);
        rest = rest[lengthBytes..];
        if (rest.Length < length) { return false; }
        vector = rest[..length];
        rest = rest[length..];
        return true;
    }

    private static ReadOnlySpan<byte> BehindCookie(ReadOnlySpan<byte> message)
    {
        var rest = message.Length > HandshakeHeader.Size + VersionLength + KeyBlock.RandomLength
            ? message[(HandshakeHeader.Size + VersionLength + KeyBlock.RandomLength)..] : default;
        return TryTake(ref rest, 1, out _) && TryTake(ref rest, 1, out _) ? rest : default;
    }

    /// <summary>Returns a copy of a whole ClientHello without its cookie and with another number, as the client sent it first.</summary>
    public static byte[] WithoutCookie(ReadOnlySpan<byte> message, ushort sequence)
    {
        var sessionIdAt = HandshakeHeader.Size + VersionLength + KeyBlock.RandomLength;
        var cookieAt = sessionIdAt + 1 + message[sessionIdAt];
        byte[] first = [.. message[..cookieAt], 0, .. message[(cookieAt + 1 + message[cookieAt])..]];
        var body = first.Length - HandshakeHeader.Size;
        new HandshakeHeader(HandshakeType.ClientHello, body, sequence, 0, body).Write(first);
        return first;
    }
}
