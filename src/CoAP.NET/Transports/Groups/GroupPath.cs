using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The way of a datagram to a group, or of one that came by a group.</summary>
/// <param name="interfaceIndex">The interface that it leaves by; 0 leaves it to the system.</param>
/// <param name="hopLimit">How many routers may pass it on, plus one.</param>
/// <param name="loopsBack">Whether members on this machine get it as well.</param>
/// <param name="sent">Is told what became of the attempt to send, on the lane.</param>
internal sealed class GroupPath(int interfaceIndex, int hopLimit, bool loopsBack, Action<GroupPath, SocketError>? sent = null)
{
    /// <summary>That of everything that was received.</summary>
    public static GroupPath Received { get; } = new(0, 0, loopsBack: false);

    public int InterfaceIndex => interfaceIndex;

    public int HopLimit => hopLimit;

    public bool LoopsBack => loopsBack;

    public void Report(SocketError error) => sent?.Invoke(this, error);

    /// <summary>Sets the socket up for the next datagram to a group of this family.</summary>
    /// <exception cref="SocketException">There is no such interface.</exception>
    public void Prepare(Socket socket, bool isIPv4)
    {
        var level = isIPv4 ? SocketOptionLevel.IP : SocketOptionLevel.IPv6;
        var index = isIPv4 ? System.Net.IPAddress.HostToNetworkOrder(interfaceIndex) : interfaceIndex;
        socket.SetSocketOption(level, SocketOptionName.MulticastInterface, index);
        socket.SetSocketOption(level, SocketOptionName.MulticastTimeToLive, hopLimit);
        socket.SetSocketOption(level, SocketOptionName.MulticastLoopback, loopsBack);
    }
}
