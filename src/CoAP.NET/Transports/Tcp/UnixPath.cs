using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The file of a local socket.</summary>
internal static class UnixPath
{
    /// <summary>Deletes the file that a server left behind when it ended. A file with a listener stays.</summary>
    public static void DeleteIfStale(UnixDomainSocketEndPoint local)
    {
        // A file with content is not a socket. The bind then fails, because the path is in use.
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
