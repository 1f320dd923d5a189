using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Moves datagrams for one lane over bound sockets. A transport does not look into the datagrams.</summary>
/// <remarks>One thread at a time owns the transport. Only <see cref="Wake"/> is safe to call from other threads.</remarks>
internal interface IDatagramTransport : IDisposable
{
    /// <summary>The addresses and ports that the sockets are bound to.</summary>
    IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    /// <summary>The counters of this transport.</summary>
    TransportCounters Counters { get; }

    /// <summary>Delivers waiting datagrams and network errors without blocking, at most one batch per socket.</summary>
    /// <returns>The number of delivered datagrams.</returns>
    int Receive(IDatagramReceiver receiver);

    /// <summary>Whether the next receive is likely to find datagrams without a wait. <see langword="true"/> if the transport cannot tell.</summary>
    bool MayHaveMore => true;

    /// <summary>Whether <see cref="Receive"/> must be called before the next wait, to report failed sends. A wait does not end for those.</summary>
    bool MustReceive => false;

    /// <summary>Queues a copy of the datagram. Sends the batch when it is full.</summary>
    /// <param name="key">The destination and the local address to send from. If the local address is none, the system chooses one.</param>
    /// <param name="datagram">The bytes. The call copies them before it returns.</param>
    /// <returns><see langword="false"/> only if the datagram can never be sent: it is too large, or no socket has its address family.</returns>
    bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram);

    /// <summary>Sends a datagram to a multicast group at once, through one interface.</summary>
    /// <param name="key">The group and the local address to send from. If the local address is none, the system chooses one.</param>
    /// <param name="datagram">The bytes.</param>
    /// <param name="path">The interface and the hop limit.</param>
    /// <returns>The result of the send.</returns>
    SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        Send(key, datagram) ? SocketError.Success : SocketError.MessageSize;

    /// <summary>Sends the queued datagrams. Does nothing if <see cref="Send"/> queues none.</summary>
    void Flush()
    {
    }

    /// <summary>Blocks until a datagram arrives, <see cref="Wake"/> is called, or the timeout passes. May return early.</summary>
    /// <param name="timeout">The longest wait. <see cref="Timeout.InfiniteTimeSpan"/> waits without a limit.</param>
    void Wait(TimeSpan timeout);

    /// <summary>Completes when a datagram arrives or <see cref="Wake"/> is called. May complete early.</summary>
    /// <remarks>Await the returned task before the next call.</remarks>
    ValueTask WaitAsync();

    /// <summary>Opens another local port. Returns the addresses that are bound to it; none if the transport cannot open ports.</summary>
    /// <exception cref="SocketException">The system refuses another socket.</exception>
    IReadOnlyList<IPEndPoint> OpenPort() => [];

    /// <summary>Sends what is queued for a port that <see cref="OpenPort"/> has opened, and closes the port.</summary>
    /// <param name="bound">The addresses that were bound to it.</param>
    void ClosePort(IReadOnlyList<IPEndPoint> bound)
    {
    }

    /// <summary>Ends the current wait, or the next one. Safe for concurrent use, also after disposal. Cheap if the owner is not waiting.</summary>
    void Wake();
}
