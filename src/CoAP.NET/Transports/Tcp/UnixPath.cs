using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The file that a local socket is found by.</summary>
internal static class UnixPath
{
    /// <summary>Removes the file that a server left behind which is no more; one that somebody listens on stays.</summary>
    public static void FreeIfStale(UnixDomainSocketEndPoint local)
    {
        if (!File.Exists(local.ToString())) { return; }
        using var probe = TcpConnector.New(local);
        try { probe.Connect(local); }
        catch (SocketException exception) when (exception.SocketErrorCode == SocketError.ConnectionRefused)
        {
            File.Delete(local.ToString());
        }
    }
}
