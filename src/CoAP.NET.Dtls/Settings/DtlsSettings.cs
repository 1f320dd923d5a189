using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using CoAP.Dtls;

namespace CoAP;

/// <summary>The settings of DTLS 1.2 that clients and servers share (RFC 6347; RFC 7252, section 9).</summary>
/// <remarks>Immutable.</remarks>
public abstract record DtlsSettings : DatagramSecurity
{
    private const int ShortestId = 4, LongestPrefix = 4;

    private protected DtlsSettings(int connectionIdLength) => ConnectionIdLength = connectionIdLength;

    /// <summary>
    /// The length in bytes of this side's connection IDs (RFC 9146). A peer that supports them keeps its session when its address changes. With 0, this side
    /// only uses the IDs of its peers. With <see langword="null"/>, connection IDs are not used. Default: 8 on a server, 0 on a client.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Neither 0 nor 4 to 16.</exception>
    public int? ConnectionIdLength
    {
        get;
        init => field = value is null or 0 ? value : Bound.Within(value, ShortestId, ConnectionIds.MaxOwnLength);
    }

    /// <summary>
    /// The first bytes of this side's connection IDs, by which a load balancer can find the node that has the session. Default: none. The other bytes are random,
    /// except one for the lane.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">More than 4 bytes.</exception>
    public ReadOnlyMemory<byte> ConnectionIdPrefix
    {
        get;
        init
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value.Length, LongestPrefix, nameof(ConnectionIdPrefix));
            field = value.ToArray();
        }
    }

    /// <summary>The time limit for a handshake. Default: 60 s, because a peer may need several retransmissions over a slow network.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    public TimeSpan HandshakeTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The time until the first retransmission of a lost flight of the handshake. It doubles with each retransmission. Default: 1 s (RFC 6347, section 4.2.4.1).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    public TimeSpan FlightTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(1);

    /// <summary>The number of retransmissions of a flight, after which the handshake fails. Default: 5.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or more than 20.</exception>
    public int MaxFlightRetransmissions { get; init => field = Bound.Within(value, 0, 20); } = 5;

    /// <summary>
    /// The largest datagram of a handshake in bytes. Longer messages are cut into fragments. Default: 1,152 bytes, which fit into one packet on nearly all
    /// paths.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 256 or more than 16,384.</exception>
    public int MaxHandshakeDatagram { get; init => field = Bound.Within(value, 256, 16_384); } = 1152;

    /// <summary>The largest number of handshakes that are computed at the same time. Default: the number of processors.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,024.</exception>
    public int HandshakeThreads { get; init => field = Bound.Within(value, 1, 1024); } = Environment.ProcessorCount;

    /// <summary>
    /// The time after which a session without any record is forgotten. Default: 24 hours. A device that sends after that needs a new handshake.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    public TimeSpan SessionTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromHours(24);

    /// <summary>
    /// Whether the return routability check (RFC 9853) is used with peers that have it. Without it, a peer that has moved proves its new address by its
    /// answers to two CoAP pings. Default: <see langword="true"/>.
    /// </summary>
    public bool UsesRoutabilityCheck { get; init; } = true;

    /// <summary>
    /// The time after which the next record from the new address of a peer leads to another challenge, until an answer has come. It doubles with each challenge.
    /// An answer counts for ten times as long. Default: 1 s (RFC 9853, section 5.5).
    /// </summary>
    /// <remarks>Until an answer has come, the address gets at most three times its bytes.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    public TimeSpan PathCheckTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Called when a peer has moved to another address and has proven it. Default: <see langword="null"/>. It runs on the lane of the peer, so it must return
    /// soon.
    /// </summary>
    public Action<PeerMove>? OnPeerMoved { get; init; }

    /// <summary>
    /// Whether a session may continue an earlier one, which needs no asymmetric operation and no certificate (RFC 5077; RFC 5246, section 7.3). Default:
    /// <see langword="true"/>.
    /// </summary>
    public bool AllowsResumption { get; init; } = true;

    /// <summary>
    /// Keeps the sessions over a restart, so that the peers need no new handshakes. Default: <see langword="null"/>: sessions end with the process, which notifies
    /// the peers when it stops.
    /// </summary>
    /// <remarks>
    /// Each endpoint needs a store of its own. A client stores only sessions with servers that have connection IDs. The first requests of a peer after a restart are
    /// dropped, until the peer has shown that they are not replayed, so a confirmable request takes two seconds longer then.
    /// </remarks>
    public IDtlsSessionStore? SessionStore { get; init; }

    /// <summary>
    /// This side's key pair for raw public keys (RFC 7250; RFC 7252, section 9.1.3.2). Default: <see langword="null"/>. Use the curve
    /// secp256r1, which every device supports.
    /// </summary>
    /// <remarks>It needs OpenSSL 3.2 or later. The private key is copied when the endpoint starts.</remarks>
    public ECDsa? RawKeyPair { get; init; }

    /// <summary>
    /// A file to which the secrets of all sessions are added, so that Wireshark can decrypt them. Default: <see langword="null"/>, nothing is written.
    /// Anyone who can read the file can decrypt the traffic, so use it only for debugging.
    /// </summary>
    /// <remarks>If the file cannot be opened, the start of a server or the first request of a client throws an <see cref="IOException"/>.</remarks>
    public string? KeyLogFile { get; init; }

    /// <summary>The cipher suites, the preferred ones first, by their names in the registry of IANA. Default: all that the library supports.</summary>
    /// <exception cref="ArgumentException">The list is empty, or contains a suite that the library does not support.</exception>
    public IReadOnlyList<string> CipherSuites { get; init => field = Known(value); } = [.. CipherSuite.Preferred.Select(static suite => suite.Name)];

    /// <summary>Whether handshakes are computed on the lane, so that a test with simulated time has the same run each time.</summary>
    internal bool ComputesOnLane { get; init; }

    internal CipherSuite[] Suites => [.. CipherSuites.Select(static name => CipherSuite.Find(name)!)];

    internal HandshakeSettings ForHandshakes() => new()
    {
        MaxDatagram = MaxHandshakeDatagram,
        FlightTimeout = FlightTimeout,
        MaxRetransmissions = MaxFlightRetransmissions,
    };

    private static IReadOnlyList<string> Known(IReadOnlyList<string> names, [CallerMemberName] string name = "")
    {
        Bound.NoneNull(names, name);
        if (names.Count == 0) { throw new ArgumentException("CipherSuites is empty; at least one suite is required.", name); }
        foreach (var suite in names)
        {
            if (CipherSuite.Find(suite) is null)
            {
                throw new ArgumentException(
                    $"The cipher suite '{suite}' is not supported. Supported are {string.Join(", ", CipherSuite.Preferred.Select(static known => known.Name))}.", name);
            }
        }
        return [.. names];
    }
}
