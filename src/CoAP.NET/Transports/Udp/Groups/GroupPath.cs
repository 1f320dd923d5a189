using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>The path of a datagram to a multicast group. It also marks a datagram that was received from a group.</summary>
/// <param name="interfaceIndex">The index of the interface to send through. 0 lets the system choose.</param>
/// <param name="hopLimit">The hop limit of the IP packet.</param>
/// <param name="loopsBack">Whether members on this machine receive the datagram too.</param>
/// <param name="sent">Called on the lane with the result of the send.</param>
internal sealed class GroupPath(int interfaceIndex, int hopLimit, bool loopsBack, Action<GroupPath, SocketError>? sent = null)
{
    /// <summary>The mark of all received group datagrams.</summary>
    public static GroupPath Received { get; } = new(0, 0, loopsBack: false);

    public int InterfaceIndex => interfaceIndex;

    /// <summary>Reports the result of the send.</summary>
    public void Report(SocketError error) => sent?.Invoke(this, error);

    /// <summary>Configures the socket for the next datagram to a group of this family.</summary>
    /// <exception cref="SocketException">The interface does not exist.</exception>
    public void Prepare(Socket socket, bool isIPv4)
    {
        var level = isIPv4 ? SocketOptionLevel.IP : SocketOptionLevel.IPv6;
        var index = isIPv4 ? System.Net.IPAddress.HostToNetworkOrder(interfaceIndex) : interfaceIndex;
        socket.SetSocketOption(level, SocketOptionName.MulticastInterface, index);
        socket.SetSocketOption(level, SocketOptionName.MulticastTimeToLive, hopLimit);
        socket.SetSocketOption(level, SocketOptionName.MulticastLoopback, loopsBack);
    }
}
