using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>Settings of UDP sockets.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record UdpSettings
{
    /// <summary>
    /// The largest UDP payload, in bytes: 65,535 minus the UDP header. Over IPv4 it is 20 bytes smaller, because the IP header counts too.
    /// </summary>
    public const int MaxDatagramSize = 65_527;

    private const int LargestBatch = 1024;

    /// <summary>The size of the kernel's receive buffer of each socket, in bytes. Default: 4 MiB.</summary>
    /// <remarks>
    /// The default of Linux, 208 KiB, loses datagrams when about 190 are waiting. The system may grant less than this value
    /// (<c>net.core.rmem_max</c>) without an error.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is not positive.</exception>
    public int ReceiveBufferSize { get; init => field = Bound.AtLeast(value, 1); } = 4 << 20;

    /// <summary>The size of the kernel's send buffer of each socket, in bytes. Default: 1 MiB. The system may grant less.</summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int SendBufferSize { get; init => field = Bound.AtLeast(value, 1); } = 1 << 20;

    /// <summary>The largest number of datagrams that one system call receives or sends. Default: 32. Allowed: 1 to 1,024.</summary>
    /// <remarks>Datagrams that segmentation offload joins count as one.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">The value is less than 1 or greater than 1,024.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int BatchSize { get; init => field = Bound.Within(value, 1, LargestBatch); } = 32;

    /// <summary>The largest accepted datagram, in bytes. Larger ones are dropped and counted. Default: <see cref="MaxDatagramSize"/>.</summary>
    /// <exception cref="ArgumentOutOfRangeException">
    /// The value is less than 4, the length of the header (RFC 7252, section 3), or greater than 65,527.
    /// </exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxReceiveSize { get; init => field = Bound.Within(value, 4, MaxDatagramSize); } = MaxDatagramSize;

    /// <summary>Whether to use the batch calls of the operating system (Linux). Default: <see langword="true"/>.</summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool UsesNativeCalls { get; init; } = true;

    /// <summary>
    /// Whether to use UDP segmentation offload (Linux 4.18): datagrams of equal length to one peer pass through the kernel as one. Default:
    /// <see langword="true"/>.
    /// </summary>
    /// <remarks>
    /// Each datagram still arrives at the peer as a separate datagram. Datagrams of up to 1,232 bytes are joined; if the system or the network
    /// card cannot do it, they are sent one by one. Received datagrams are joined only if <see cref="MaxReceiveSize"/> has its largest value.
    /// </remarks>
    public bool UsesSegmentationOffload { get; init; } = true;

    /// <summary>Whether the kernel may deliver datagrams of one peer as one. The receive buffer must have room for the largest datagram.</summary>
    internal bool CoalescesReceived => UsesSegmentationOffload && MaxReceiveSize == MaxDatagramSize;
}
