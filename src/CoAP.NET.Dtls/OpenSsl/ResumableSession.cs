namespace CoAP.Dtls.OpenSsl;

/// <summary>Moves the session of a client out of one handshake and into a later one, in the encoding of OpenSSL.</summary>
internal static unsafe class ResumableSession
{
    /// <summary>Returns the session of a handshake; <see langword="null"/> if the server does not let the client resume it.</summary>
    public static byte[]? Export(SslHandle ssl)
    {
        if (SslCalls.GetSession(ssl) is not (not 0 and var session) || SslCalls.IsResumable(session) == 0) { return null; }
        var bytes = new byte[SslCalls.WriteSession(session, null)];
        fixed (byte* start = bytes)
        {
            var next = start;
            _ = SslCalls.WriteSession(session, &next);
        }
        return bytes;
    }

    /// <summary>Lets a handshake that has not begun offer a session. The server decides.</summary>
    public static void Offer(SslHandle ssl, byte[] bytes)
    {
        fixed (byte* start = bytes)
        {
            var next = start;
            var session = SslCalls.ReadSession(0, &next, bytes.Length);
            if (session == 0) { return; }
            _ = SslCalls.SetSession(ssl, session);
            SslCalls.FreeSession(session);
        }
    }
}
