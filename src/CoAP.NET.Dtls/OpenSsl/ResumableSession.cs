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
