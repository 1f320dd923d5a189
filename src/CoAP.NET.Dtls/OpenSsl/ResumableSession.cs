using System.Security.Cryptography;
using System.Text;

namespace CoAP.Dtls.OpenSsl;

/// <summary>Moves the session of a client out of one handshake and into a later one, in the encoding of OpenSSL.</summary>
internal static unsafe class ResumableSession
{
    /// <summary>Returns the session of a handshake; <see langword="null"/> if the server does not let the client resume it.</summary>
    public static byte[]? Export(SslHandle ssl)
    {
        if (SslCalls.GetSession(ssl) is not (not 0 and var session) || SslCalls.IsResumable(session) == 0) { return null; }
        return DerCodec.Write(session, &SslCalls.WriteSession);
    }

    /// <summary>Lets a handshake of a server resume only sessions of a kind of keys that began under the same name of the server.</summary>
    public static void Bind(SslHandle ssl, byte[] kind, string serverName)
    {
        // The longest context has as many bytes as this hash.
        var context = SHA256.HashData([.. kind, 0, .. Encoding.Latin1.GetBytes(serverName)]);
        fixed (byte* start = context) { _ = SslCalls.SetSessionIdContext(ssl, start, (uint)context.Length); }
    }

    /// <summary>Keeps the identity of a client with its session, also in the ticket.</summary>
    /// <param name="ssl">The handshake of a server.</param>
    /// <param name="identity">The identity.</param>
    /// <param name="serverName">The name on which the key of the identity depends; <see langword="null"/> if it depends on none.</param>
    public static void Keep(SslHandle ssl, byte[] identity, string? serverName)
    {
        if (SslCalls.GetSession(ssl) is not (not 0 and var session)) { return; }
        var name = Encoding.Latin1.GetBytes(serverName ?? "");
        byte[] data = [(byte)(serverName is null ? 0 : 1), (byte)name.Length, .. name, .. identity];
        fixed (byte* start = data) { _ = SslCalls.SetSessionData(session, start, (nuint)data.Length); }
    }

    /// <summary>Returns what <see cref="Keep"/> has kept with a session that is resumed.</summary>
    public static (byte[]? Identity, string? ServerName) IdentityOf(SslHandle ssl)
    {
        if (SslCalls.GetSession(ssl) is not (not 0 and var session)) { return default; }
        byte* start = null;
        nuint length = 0;
        if (SslCalls.GetSessionData(session, &start, &length) != 1 || length < 2) { return default; }
        var data = new ReadOnlySpan<byte>(start, (int)length);
        var name = data.Slice(2, data[1]);
        return (data[(2 + name.Length)..].ToArray(), data[0] == 0 ? null : Encoding.Latin1.GetString(name));
    }

    /// <summary>Returns the ID of the session of a handshake; empty if it has none.</summary>
    public static byte[] IdOf(SslHandle ssl)
    {
        if (SslCalls.GetSession(ssl) is not (not 0 and var session)) { return []; }
        uint length = 0;
        var id = SslCalls.GetSessionId(session, &length);
        return new ReadOnlySpan<byte>(id, (int)length).ToArray();
    }

    /// <summary>Removes the session with an ID from those that the clients of a context can resume.</summary>
    public static void Remove(SslContext context, byte[] id)
    {
        // OpenSSL finds the session by the version and the ID.
        var session = SslCalls.NewSession();
        if (session == 0) { return; }
        fixed (byte* start = id)
        {
            if (SslCalls.SetSessionVersion(session, DtlsRecord.Version) == 1 && SslCalls.SetSessionId(session, start, (uint)id.Length) == 1)
            {
                _ = SslCalls.RemoveSession(context, session);
            }
        }
        SslCalls.FreeSession(session);
    }

    /// <summary>Lets a handshake that has not begun offer a session. The server decides.</summary>
    public static void Offer(SslHandle ssl, byte[] bytes)
    {
        var session = DerCodec.Read(bytes, &SslCalls.ReadSession);
        if (session == 0) { return; }
        _ = SslCalls.SetSession(ssl, session);
        SslCalls.FreeSession(session);
    }
}
