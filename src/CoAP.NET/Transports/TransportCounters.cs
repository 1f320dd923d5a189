namespace CoAP.Transports;

/// <summary>What a transport moved and lost since it began. Written by its lane alone; others may read at any time.</summary>
internal sealed class TransportCounters
{
    /// <summary>Datagrams handed on.</summary>
    public long DatagramsReceived { get; set; }

    /// <summary>Datagrams that the system took over.</summary>
    public long DatagramsSent { get; set; }

    /// <summary>Calls into the system, waits included.</summary>
    public long SystemCalls { get; set; }

    /// <summary>Datagrams that the system did not take over: a full buffer, no way to the address.</summary>
    public long SendFailures { get; set; }

    /// <summary>Datagrams that the system threw away because a receive buffer was full, where it tells.</summary>
    public long ReceiveOverflow { get; set; }

    /// <summary>Datagrams dropped because they were larger than <see cref="UdpSettings.MaxReceiveSize"/>.</summary>
    public long Oversized { get; set; }

    /// <summary>Reports of the network that a datagram of ours did not arrive.</summary>
    public long NetworkErrors { get; set; }
}
