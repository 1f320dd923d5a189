namespace CoAP;

/// <summary>How TCP sockets are opened, and how many connections there may be.</summary>
/// <remarks>Immutable; safe for concurrent use.</remarks>
public sealed record TcpSettings
{
    private const int MostThreads = 12_000;

    /// <summary>The connections that the system keeps until they are accepted. 512 by default; the system may grant fewer.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int Backlog { get; init => field = Within(value, 1, int.MaxValue, nameof(Backlog)); } = 512;

    /// <summary>The accepted connections that may be open at the same time. 10,000 by default; one more is closed at once.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnections { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxConnections)); } = 10_000;

    /// <summary>The accepted connections of one address, or of one /64 of IPv6. 1,000 by default; one more is closed at once.</summary>
    /// <remarks>Many devices behind one translated address need more.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int MaxConnectionsPerAddress { get; init => field = Within(value, 1, int.MaxValue, nameof(MaxConnectionsPerAddress)); } = 1_000;

    /// <summary>The most connections where each has a thread. 4,000 by default, at most 12,000: past about 16,000 threads a process ends.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 12,000.</exception>
    public int MaxConnectionThreads { get; init => field = Within(value, 1, MostThreads, nameof(MaxConnectionThreads)); } = 4_000;

    /// <summary>The bytes of stack of the thread that a connection has. 256 KiB by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 128 KiB.</exception>
    public int ConnectionStackSize { get; init => field = Within(value, 128 << 10, int.MaxValue, nameof(ConnectionStackSize)); } = 256 << 10;

    /// <summary>How long the opening of a connection may take. 10 s by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or over 24 days.</exception>
    public TimeSpan ConnectTimeout { get; init => field = Within(value, nameof(ConnectTimeout)); } = TimeSpan.FromSeconds(10);

    /// <summary>How long one send may wait for a peer that does not read, where each connection has a thread. 30 s by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Under 1 ms, or over 24 days.</exception>
    public TimeSpan SendTimeout { get; init => field = Within(value, nameof(SendTimeout)); } = TimeSpan.FromSeconds(30);

    /// <summary>The idle time after which the system asks whether the peer is still there. Not asked by default; CoAP has its own Ping.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Under a second, or over 24 days.</exception>
    public TimeSpan? KeepAlive
    {
        get;
        init => field = value is { } time && time >= TimeSpan.FromSeconds(1) ? Within(time, nameof(KeepAlive)) : value is null
            ? null
            : throw new ArgumentOutOfRangeException(nameof(KeepAlive), value, $"KeepAlive is {value}; it must be at least a second.");
    }

    private static int Within(int value, int least, int most, string name) => value >= least && value <= most
        ? value
        : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from {least} to {most}.");

    private static TimeSpan Within(TimeSpan value, string name) => value.TotalMilliseconds is >= 1 and <= int.MaxValue
        ? value
        : throw new ArgumentOutOfRangeException(name, value, $"{name} is {value}; it must be from 1 ms to 24 days.");
}
