namespace CoAP.Transports;

/// <summary>Counts what a datagram transport sends, receives and loses. The counters never decrease.</summary>
/// <remarks>
/// The transport increments its own counters, and each counter has one writer at a time: the lane that owns the transport, or the holder of the
/// transport's lock. Any thread may read a counter; a read is one load. <see cref="Total"/> sums a counter over all transports of this process.
/// <see cref="ConnectionCounters"/> is the counterpart for connections.
/// </remarks>
internal sealed class TransportCounters
{
    private static readonly Lock Gate = new();
    private static readonly HashSet<TransportCounters> Opened = [];
    private static readonly TransportCounters Closed = new();

    private long _datagramsReceived;
    private long _datagramsSent;
    private long _systemCalls;
    private long _sendFailures;
    private long _receiveOverflow;
    private long _oversized;
    private long _networkErrors;

    /// <summary>The datagrams that the transport delivered to its receiver.</summary>
    public long DatagramsReceived => Volatile.Read(ref _datagramsReceived);

    /// <summary>The datagrams that the system accepted for sending.</summary>
    public long DatagramsSent => Volatile.Read(ref _datagramsSent);

    /// <summary>The system calls that sent, received or waited.</summary>
    public long SystemCalls => Volatile.Read(ref _systemCalls);

    /// <summary>The datagrams that the system did not accept for sending: its buffer was full, or no route leads to the address.</summary>
    public long SendFailures => Volatile.Read(ref _sendFailures);

    /// <summary>The datagrams that were dropped because a receive buffer was full. Linux reports them; other systems do not.</summary>
    public long ReceiveOverflow => Volatile.Read(ref _receiveOverflow);

    /// <summary>The datagrams that were dropped because they exceeded <see cref="UdpSettings.MaxReceiveSize"/>.</summary>
    public long Oversized => Volatile.Read(ref _oversized);

    /// <summary>The reports of the network that a sent datagram did not arrive.</summary>
    public long NetworkErrors => Volatile.Read(ref _networkErrors);

    /// <summary>Creates the counters of a new transport and includes them in the totals.</summary>
    public static TransportCounters Open()
    {
        var counters = new TransportCounters();
        lock (Gate) { Opened.Add(counters); }
        return counters;
    }

    /// <summary>Sums one counter over all transports of this process, the closed ones included. Safe for concurrent use.</summary>
    /// <param name="read">Reads the counter, for example <c>static counters => counters.ReceiveOverflow</c>.</param>
    public static long Total(Func<TransportCounters, long> read)
    {
        lock (Gate) { return Opened.Sum(read) + read(Closed); }
    }

    /// <summary>Ends the counting, when the transport is disposed of. The totals keep the counts. Further calls do nothing.</summary>
    public void Close()
    {
        lock (Gate)
        {
            if (Opened.Remove(this)) { Closed.Absorb(this); }
        }
    }

    public void OnReceived() => Add(ref _datagramsReceived, 1);

    public void OnSent(int datagrams) => Add(ref _datagramsSent, datagrams);

    public void OnSystemCall() => Add(ref _systemCalls, 1);

    public void OnSendFailed(int datagrams) => Add(ref _sendFailures, datagrams);

    public void OnReceiveOverflow(long datagrams) => Add(ref _receiveOverflow, datagrams);

    public void OnOversized() => Add(ref _oversized, 1);

    public void OnNetworkError() => Add(ref _networkErrors, 1);

    private static void Add(ref long counter, long count) => Volatile.Write(ref counter, counter + count);

    private void Absorb(TransportCounters other)
    {
        Add(ref _datagramsReceived, other.DatagramsReceived);
        Add(ref _datagramsSent, other.DatagramsSent);
        Add(ref _systemCalls, other.SystemCalls);
        Add(ref _sendFailures, other.SendFailures);
        Add(ref _receiveOverflow, other.ReceiveOverflow);
        Add(ref _oversized, other.Oversized);
        Add(ref _networkErrors, other.NetworkErrors);
    }
}
