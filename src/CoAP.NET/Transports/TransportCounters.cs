using CoAP.Vocabulary;

namespace CoAP.Transports;

/// <summary>Counts what a datagram transport sends, receives and loses. The counters never decrease.</summary>
/// <remarks>
/// The transport increments its own counters, and each counter has one writer at a time: the lane that owns the transport, or the holder of the
/// transport's lock. <see cref="ConnectionCounters"/> is the counterpart for connections.
/// </remarks>
internal sealed class TransportCounters() : CounterTable(Group.Count)
{
    public static readonly CounterGroup Group = new("{datagram}");

    /// <summary>The datagrams that the transport delivered to its receiver.</summary>
    public static readonly Counter DatagramsReceived = Group.Define("coap.datagram.received", "Datagrams that were received.");

    /// <summary>The datagrams that the system accepted for sending.</summary>
    public static readonly Counter DatagramsSent = Group.Define("coap.datagram.sent", "Datagrams that were sent.");

    /// <summary>The system calls that sent, received or waited.</summary>
    public static readonly Counter SystemCalls = Group.Define();

    /// <summary>The datagrams that the system did not accept for sending: its buffer was full, or no route leads to the address.</summary>
    public static readonly Counter SendFailures = Group.Define("coap.datagram.send_failures", "Datagrams that the system did not send.");

    /// <summary>The datagrams that were dropped because a receive buffer was full. Linux reports them; other systems do not.</summary>
    public static readonly Counter ReceiveOverflow =
        Group.Define("coap.datagram.overflow", "Datagrams that the kernel dropped because the receive buffer was full.");

    /// <summary>The datagrams that were dropped because they exceeded <see cref="UdpSettings.MaxReceiveSize"/>.</summary>
    public static readonly Counter Oversized = Group.Define("coap.datagram.oversized", "Datagrams that were too large to receive.");

    /// <summary>The reports of the network that a sent datagram did not arrive.</summary>
    public static readonly Counter NetworkErrors = Group.Define("coap.datagram.network_errors", "Datagrams that the network reported as undelivered.");

    /// <summary>Creates the counters of a new transport and includes them in the sums.</summary>
    public static TransportCounters Open()
    {
        var counters = new TransportCounters();
        Group.Add(counters);
        return counters;
    }

    /// <summary>Ends the counting, when the transport is disposed of. The sums keep the counts. Further calls do nothing.</summary>
    public void Close() => Group.Remove(this);
}
