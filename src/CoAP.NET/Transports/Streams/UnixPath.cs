using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The file that a local socket is found by.</summary>
internal static class UnixPath
{
    /// <summary>Removes the file that a server left behind which is no more; one that somebody listens on stays.</summary>
    public static void FreeIfStale(UnixDomainSocketEndPoint local)
    {
        // What holds bytes is somebody's file and no socket: the bind then fails, because the path is taken.
        var file = new FileInfo(local.ToString());
        if (!file.Exists || file.Length > 0) { return; }
        using var probe = TcpConnector.New(local);
        try { probe.Connect(local); }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionRefused)
        {
            file.Delete();
        }
    }
}
