using System.Net;
using CoAP.Options;

namespace CoAP.Load;

/// <summary>What load is made.</summary>
internal sealed record LoadSettings
{
    /// <summary>The server's address.</summary>
    public required IPEndPoint Server { get; init; }

    /// <summary>CoAP over TCP (RFC 8323) instead of UDP (RFC 7252).</summary>
    public bool IsTcp { get; init; }

    /// <summary>GET by default.</summary>
    public CoapCode Method { get; init; } = RequestCode.Get;

    /// <summary>Confirmable requests, over UDP; by default.</summary>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>The options of each request: its path and query.</summary>
    public OptionSet Options { get; init; } = OptionSet.Empty;

    /// <summary>The payload's length in bytes; none by default.</summary>
    public int PayloadLength { get; init; }

    /// <summary>The token's length in bytes, 1 to 8.</summary>
    public int TokenLength { get; init; } = 8;

    /// <summary>The sockets, each with a port of its own, or the connections.</summary>
    public int Sockets { get; init; } = 16;

    /// <summary>The requests without answer at most: in all over UDP, of each connection over TCP.</summary>
    public int Outstanding { get; init; } = 64;

    /// <summary>Requests a second of an open loop. Without it the loop is closed: an answer makes room for the next request.</summary>
    public double? Rate { get; init; }

    /// <summary>The time that is measured.</summary>
    public TimeSpan Duration { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>The time of load before it. A server in a compiled-as-it-runs language needs 10 to 15 s where it has one busy core.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(12);

    /// <summary>The answers after which the measurement ends before its time.</summary>
    public long Limit { get; init; } = long.MaxValue;

    /// <summary>The time until a confirmable request is sent again, doubled each time (RFC 7252, section 4.2); never by default.</summary>
    public TimeSpan? RetransmitAfter { get; init; }

    /// <summary>The time after which a request counts as lost and is given up.</summary>
    public TimeSpan Patience { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Polls and never sleeps.</summary>
    public bool Spins { get; init; }

    /// <summary>The calls that every system has, on Linux too.</summary>
    public bool IsPortable { get; init; }

    /// <summary>The local process that is the server.</summary>
    public int? ServerProcess { get; init; }

    /// <summary>The requests without answer at most, over all sockets.</summary>
    public int Slots => IsTcp ? Sockets * Outstanding : Outstanding;
}
