using System.Net;
using System.Net.Sockets;

namespace CoAP.Transports;

/// <summary>Bound sockets that move datagrams for one lane, and know nothing of what is in them.</summary>
/// <remarks>Owned by one thread at a time; only <see cref="Wake"/> may be called by others.</remarks>
internal interface IDatagramTransport : IDisposable
{
    /// <summary>The addresses and ports that the sockets are bound to.</summary>
    IReadOnlyList<IPEndPoint> LocalEndPoints { get; }

    /// <summary>What was moved so far.</summary>
    TransportCounters Counters { get; }

    /// <summary>Hands on what is there without blocking, at most one batch per socket, and network errors with it.</summary>
    /// <returns>The number of datagrams handed on.</returns>
    int Receive(IDatagramReceiver receiver);

    /// <summary>Whether another receive is worth its call before anything is waited for. A transport that cannot tell says yes.</summary>
    bool MayHaveMore => true;

    /// <summary>Whether a receive has something to hand on that no wait would find: sends that failed.</summary>
    bool MustReceive => false;

    /// <summary>Queues a copy of the datagram and sends the batch when it is full.</summary>
    /// <param name="key">Where to, and from which local address; if that is none, the system chooses.</param>
    /// <param name="datagram">The bytes, copied before the call returns.</param>
    /// <returns>False only if this can never be sent: too large, or no socket of that address family.</returns>
    bool Send(in ChannelKey key, ReadOnlySpan<byte> datagram);

    /// <summary>Sends a datagram to a group, at once and out of one interface.</summary>
    /// <param name="key">The group, and the local address to send from; if that is none, the system chooses.</param>
    /// <param name="datagram">The bytes.</param>
    /// <param name="path">The interface, and how far it goes.</param>
    /// <returns>Why it could not be sent.</returns>
    SocketError SendToGroup(in ChannelKey key, ReadOnlySpan<byte> datagram, GroupPath path) =>
        Send(key, datagram) ? SocketError.Success : SocketError.MessageSize;

    /// <summary>Sends what is queued.</summary>
    void Flush();

    /// <summary>
    /// Blocks until there is something to receive, <see cref="Wake"/> was called, or the time is over; may also return early.
    /// </summary>
    /// <param name="timeout">How long at most; <see cref="Timeout.InfiniteTimeSpan"/> for ever.</param>
    void Wait(TimeSpan timeout);

    /// <summary>Completes as soon as there is something to receive or <see cref="Wake"/> was called; may also complete early.</summary>
    /// <remarks>The next call may be made only after the task of the one before it has completed and was awaited.</remarks>
    ValueTask WaitAsync();

    /// <summary>
    /// Ends the wait that goes on, or else the next one. Safe for concurrent use, also after the end; cheap when nobody waits.
    /// </summary>
    void Wake();
}

/// <summary>Takes what a datagram transport received.</summary>
internal interface IDatagramReceiver
{
    /// <param name="key">Who sent the datagram, and the local address it was sent to.</param>
    /// <param name="datagram">The bytes; valid during the call only.</param>
    void OnDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram);

    /// <summary>The same for a datagram that was sent to a group.</summary>
    /// <param name="key">Who sent the datagram, and the unicast address that answers leave from; its address is none where the system chooses.</param>
    /// <param name="datagram">The bytes; valid during the call only.</param>
    void OnGroupDatagram(in ChannelKey key, ReadOnlySpan<byte> datagram) => OnDatagram(key, datagram);

    /// <summary>A datagram of ours did not arrive, as the network or this system tells (RFC 7252, section 4.2).</summary>
    /// <param name="key">Where it was sent to, and from which local address.</param>
    /// <param name="quoted">The beginning of the datagram, as much of it as came back; valid during the call only.</param>
    /// <param name="error">What went wrong.</param>
    void OnNetworkError(in ChannelKey key, ReadOnlySpan<byte> quoted, SocketError error);
}
