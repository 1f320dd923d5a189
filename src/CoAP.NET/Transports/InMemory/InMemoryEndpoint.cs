using CoAP.Transports;

namespace CoAP;

/// <summary>An endpoint of raw datagrams on an <see cref="InMemoryNetwork"/>.</summary>
public sealed class InMemoryEndpoint : IDisposable
{
    private readonly InMemoryDatagramTransport _transport;

    internal InMemoryEndpoint(InMemoryDatagramTransport transport) => _transport = transport;

    /// <summary>The name of the endpoint on the network.</summary>
    public PeerIdentity Identity => _transport.Identity;

    /// <summary>Sends a datagram.</summary>
    /// <param name="to">The receiver.</param>
    /// <param name="datagram">The bytes. They are copied.</param>
    /// <exception cref="ArgumentException">The receiver is empty, or the datagram is longer than 65,507 bytes.</exception>
    public void Send(PeerIdentity to, ReadOnlySpan<byte> datagram)
    {
        if (!_transport.Send(new ChannelKey(to, Identity), datagram))
        {
            throw new ArgumentException($"The datagram has {datagram.Length} bytes for '{to}'; it needs a receiver and at most {UdpSettings.MaxDatagramSize} bytes.", nameof(to));
        }
    }

    /// <summary>Closes the endpoint. Later datagrams to it are refused.</summary>
    public void Dispose() => _transport.Dispose();
}
