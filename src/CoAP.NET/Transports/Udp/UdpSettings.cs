namespace CoAP;

/// <summary>How UDP sockets are opened and read.</summary>
public sealed record UdpSettings
{
    /// <summary>
    /// The largest payload that UDP can carry, in bytes: 65,535 less its own header; over IPv4 the IP header takes 20 more.
    /// </summary>
    public const int LargestDatagram = 65_527;

    private const int LargestBatch = 1024;

    /// <summary>The bytes of the kernel's receive buffer for each socket. 4 MiB by default.</summary>
    /// <remarks>
    /// The 208 KiB that Linux gives without being asked lose datagrams as soon as about 190 wait. The system may grant less than is asked
    /// for (<c>net.core.rmem_max</c>); that is no error.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is not positive.</exception>
    public int ReceiveBufferSize { get; init => field = Bound.AtLeast(value, 1); } = 4 << 20;

    /// <summary>The bytes of the kernel's send buffer for each socket. 1 MiB by default; the system may grant less.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not positive.</exception>
    public int SendBufferSize { get; init => field = Bound.AtLeast(value, 1); } = 1 << 20;

    /// <summary>
    /// The most datagrams that one system call takes or sends, where those that are handed over as one count as one. 32 by default, 1 to 1,024.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside 1 to 1,024.</exception>
    public int BatchSize { get; init => field = Bound.Within(value, 1, LargestBatch); } = 32;

    /// <summary>
    /// The bytes of the largest datagram taken; larger ones are dropped and counted. By default the most that UDP can carry.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is outside 4 (the header of RFC 7252, section 3) to 65,527.</exception>
    public int MaxReceiveSize { get; init => field = Bound.Within(value, 4, LargestDatagram); } = LargestDatagram;

    /// <summary>Whether the system's own calls for batches of datagrams are used where it has them (Linux). On by default.</summary>
    public bool UsesNativeCalls { get; init; } = true;

    /// <summary>
    /// Whether datagrams of one length for one peer, sent at the same time, are handed to the system as one, which cuts them up behind most
    /// of its layers (generic segmentation offload; Linux 4.18, of up to 1,232 bytes each). On by default; where it is not possible, they
    /// are sent one by one. Each of them arrives as a datagram of its own. Those that come in are taken together only where
    /// <see cref="MaxReceiveSize"/> is at its largest.
    /// </summary>
    public bool GathersDatagrams { get; init; } = true;
}
