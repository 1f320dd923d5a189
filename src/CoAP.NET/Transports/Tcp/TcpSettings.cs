namespace CoAP;

/// <summary>How TCP sockets are opened, and how many connections there may be.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TcpSettings
{
    private const int MostThreads = 12_000;

    /// <summary>The connections that the system keeps until they are accepted. 512 by default; the system may grant fewer.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int Backlog { get; init => field = Bound.AtLeast(value, 1); } = 512;

    /// <summary>The accepted connections that may be open at the same time. 10,000 by default; one more is closed at once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnections { get; init => field = Bound.AtLeast(value, 1); } = 10_000;

    /// <summary>The accepted connections of one address, or of one /64 of IPv6. 1,000 by default; one more is closed at once.</summary>
    /// <remarks>Many devices behind one translated address need more.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnectionsPerAddress { get; init => field = Bound.AtLeast(value, 1); } = 1_000;

    /// <summary>The most connections where each has a thread. 4,000 by default, at most 12,000: past about 16,000 threads a process ends.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 12,000.</exception>
    public int MaxConnectionThreads { get; init => field = Bound.Within(value, 1, MostThreads); } = 4_000;

    /// <summary>The bytes of stack of the thread that a connection has. 256 KiB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 128 KiB.</exception>
    public int ConnectionStackSize { get; init => field = Bound.AtLeast(value, 128 << 10); } = 256 << 10;

    /// <summary>How long the opening of a connection may take. 10 s by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or over 24 days.</exception>
    public TimeSpan ConnectTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(10);

    /// <summary>How long a peer may take none of what waits to be sent to it; then its connection is closed. 30 s by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Under 1 ms, or over 24 days.</exception>
    public TimeSpan SendTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(30);

    /// <summary>The idle time after which the system asks whether the peer is still there. Not asked by default; CoAP has its own Ping.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Under a second, or over 24 days.</exception>
    public TimeSpan? KeepAlive { get; init => field = Bound.Within(value, TimeSpan.FromSeconds(1), TimeSpan.FromMilliseconds(int.MaxValue)); }
}
