using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Receives the datagrams and errors of an <see cref="IDatagramTransport"/>.</summary>
internal interface IDatagramReceiver
{
    /// <summary>Called for each unicast datagram.</summary>
    /// <param name="key">The sender, and the local address that the datagram was sent to.</param>
    /// <param name="datagram">The bytes. They are valid during the call only.</param>
    void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram);

    /// <summary>Called for each datagram that was sent to a group.</summary>
    /// <param name="key">The sender, and the unicast address to answer from. Its address is unspecified if the system chooses it.</param>
    /// <param name="datagram">The bytes. They are valid during the call only.</param>
    void OnGroupDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => OnDatagram(key, datagram);

    /// <summary>Called when the network or this system reports that a sent datagram did not arrive (RFC 7252, section 4.2).</summary>
    /// <param name="key">The destination, and the local address that it was sent from.</param>
    /// <param name="quoted">The beginning of the datagram, as much as the report contains. It is valid during the call only.</param>
    /// <param name="error">The cause.</param>
    void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error);
}
