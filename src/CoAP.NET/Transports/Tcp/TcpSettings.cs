using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>Settings of TCP sockets, and limits on connections.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TcpSettings
{
    private const int MostThreads = 12_000;

    /// <summary>The number of connections that the system queues until they are accepted. Default: 512. The system may queue fewer.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int Backlog { get; init => field = Bound.AtLeast(value, 1); } = 512;

    /// <summary>The largest number of open accepted connections. Default: 10,000. A further connection is closed at once. One account
    /// holds at most as many as are still free (<see cref="Account"/>).</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnections { get; init => field = Bound.AtLeast(value, 1); } = 10_000;

    /// <summary>The largest number of connections if each has a thread. Default: 4,000.</summary>
    /// <remarks>A process aborts when it has more than about 16,000 threads.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 12,000.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxConnectionThreads { get; init => field = Bound.Within(value, 1, MostThreads); } = 4_000;

    /// <summary>The stack size of the thread of a connection, in bytes. Default: 256 KiB.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 128 KiB.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int ConnectionStackSize { get; init => field = Bound.AtLeast(value, 128 << 10); } = 256 << 10;

    /// <summary>The time limit for opening a connection. Default: 10 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms, or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ConnectTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(10);

    /// <summary>The time after which a connection is closed if the peer accepts none of the waiting bytes. Default: 30 s.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms, or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan SendTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(30);

    /// <summary>The idle time after which the system checks whether the peer is still there. Default: <see langword="null"/>, which does not check.</summary>
    /// <remarks>CoAP has its own Ping message (RFC 8323, section 5.4).</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 s, or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan? KeepAlive { get; init => field = Bound.Within(value, TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(int.MaxValue)); }
}
