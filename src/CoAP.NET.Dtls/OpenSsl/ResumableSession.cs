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

    /// <summary>Lets a handshake that has not begun offer a session. The server decides.</summary>
    public static void Offer(SslHandle ssl, byte[] bytes)
    {
        var session = DerCodec.Read(bytes, &SslCalls.ReadSession);
        if (session == 0) { return; }
        _ = SslCalls.SetSession(ssl, session);
        SslCalls.FreeSession(session);
    }
}
