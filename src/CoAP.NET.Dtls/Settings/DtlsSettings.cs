using System.Diagnostics.CodeAnalysis;
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
    /// The length in bytes of this side's connection IDs (RFC 9146): 0, or 4 to 16. A peer that supports them keeps its session when its address changes. With
    /// 0, the peer's records carry no ID, but this side's records carry the ID that the peer has chosen. With <see langword="null"/>, no connection IDs are
    /// used. Default: 8 on a server, 0 on a client.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">The value is neither 0 nor 4 to 16.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int? ConnectionIdLength
    {
        get;
        init => field = value is null or 0 or (>= ShortestId and <= ConnectionIds.MaxOwnLength)
            ? value
            : throw new ArgumentOutOfRangeException(nameof(ConnectionIdLength), $"ConnectionIdLength is {value}; 0, null or {ShortestId} to {ConnectionIds.MaxOwnLength} bytes are allowed.");
    }

    /// <summary>
    /// The first bytes of this side's connection IDs, so that a load balancer can find the node that owns the session. Default: none. The next byte is the
    /// number of the lane, and the others are random.
    /// </summary>
    /// <remarks><see cref="ConnectionIdLength"/> must be at least 4 bytes longer than the prefix. Otherwise, the endpoint does not start.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">More than 4 bytes.</exception>
    public ReadOnlyMemory<byte> ConnectionIdPrefix
    {
        get;
        init
        {
            if (value.Length > LongestPrefix)
            {
                throw new ArgumentOutOfRangeException(nameof(ConnectionIdPrefix), $"ConnectionIdPrefix has {value.Length} bytes; at most {LongestPrefix} are allowed.");
            }
            field = value.ToArray();
        }
    }

    /// <summary>
    /// The value of <see cref="FlightTimeout"/> for networks of constrained devices: 9 s (RFC 7925, section 11). Their answers take longer than the default, and each
    /// needless retransmission of a flight delays them further. Set <see cref="HandshakeTimeout"/> to several minutes, too.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public static TimeSpan ConstrainedFlightTimeout => TimeSpan.FromSeconds(9);

    /// <summary>The time limit for a whole handshake. Default: 60 s, because several flights may need retransmissions over a slow network.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan HandshakeTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(60);

    /// <summary>
    /// The time until the first retransmission of a flight of the handshake. It doubles with each retransmission, up to 60 s. Default: 1 s (RFC 6347, section
    /// 4.2.4.1).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan FlightTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(1);

    /// <summary>The number of retransmissions of a flight, after which the handshake fails. Default: 5.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative, or more than 20.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxFlightRetransmissions { get; init => field = Bound.Within(value, 0, 20); } = 5;

    /// <summary>
    /// The largest datagram of a handshake in bytes. Longer messages are split into fragments. Default: 1,152 bytes, which fit into one packet on nearly all
    /// paths.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 256 or more than 16,384.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxHandshakeDatagram { get; init => field = Bound.Within(value, 256, 16_384); } = 1152;

    /// <summary>The largest number of handshakes that are computed at the same time. Default: the number of processors.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 1,024.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int HandshakeThreads { get; init => field = Bound.Within(value, 1, 1024); } = Environment.ProcessorCount;

    /// <summary>
    /// The time without a record from the peer after which a session ends. Default: 24 hours. The peer then needs a new handshake.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan SessionTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromHours(24);

    /// <summary>
    /// Whether the return routability check (RFC 9853) is used with peers that have it. Without it, a peer that has moved proves its new address by its
    /// answers to two CoAP pings. Default: <see langword="true"/>.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool UsesRoutabilityCheck { get; init; } = true;

    /// <summary>
    /// The time in which a peer must answer a challenge at its new address. After that, the next record from there causes another challenge
    /// with
    /// twice as much time, up to eight times as much. Default: 1 s (RFC 9853, section 5.5), or three round trips of the handshake if they
    /// take longer.
    /// </summary>
    /// <remarks>Until an answer has come, the address gets at most three times its bytes.</remarks>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 ms or more than 24 days.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan PathCheckTimeout { get; init => field = Bound.TimerTime(value); } = TimeSpan.FromSeconds(1);

    /// <summary>
    /// Called when a peer has moved to another address and has proven that it receives there. Default: <see langword="null"/>. The lane of the peer waits
    /// for it, so it must return quickly.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public Action<PeerMove>? OnPeerMoved { get; init; }

    /// <summary>
    /// Whether a client may resume an earlier session in a shorter handshake, without signatures and certificates (RFC 5077; RFC 5246, section 7.3). Default:
    /// <see langword="true"/>. A resumed session has the credentials of the earlier one.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool AllowsResumption { get; init; } = true;

    /// <summary>
    /// Keeps the sessions across a restart, so that the peers need no new handshakes. Default: <see langword="null"/>: the sessions end when the endpoint
    /// stops, and the peers are notified.
    /// </summary>
    /// <remarks>
    /// Each endpoint needs a store of its own. A client stores only sessions with servers that use connection IDs. After a restart, a server challenges its peers
    /// at once. Until a peer has answered, its requests are dropped, because they may be replayed: a confirmable one then takes 2 to 3 s longer, and a
    /// non-confirmable one is lost.
    /// </remarks>
    public IDtlsSessionStore? SessionStore { get; init; }

    /// <summary>
    /// This side's key pair for raw public keys (RFC 7250; RFC 7252, section 9.1.3.2). Default: <see langword="null"/>. Use the curve
    /// secp256r1, which every device supports.
    /// </summary>
    /// <remarks>Needs OpenSSL 3.2 or later. The private key must be exportable. It is copied when the endpoint starts.</remarks>
    public ECDsa? RawKeyPair { get; init; }

    /// <summary>
    /// A file to which the secrets of all sessions are appended, so that Wireshark can decrypt their records. Default: <see langword="null"/>, no file.
    /// Anyone who can read the file can decrypt the traffic, so use it only for debugging.
    /// </summary>
    /// <remarks>Several endpoints of a process can use the same file. Outside of Windows, only its owner can read a file that the library creates.</remarks>
    /// <remarks>If the file cannot be opened, the start of a server or the first request of a client throws an <see cref="IOException"/>.</remarks>
    /// <exception cref="ArgumentException">The path is empty.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public string? KeyLogFile
    {
        get;
        init
        {
            if (value is "") { throw new ArgumentException("KeyLogFile is empty; null turns the log off.", nameof(KeyLogFile)); }
            field = value;
        }
    }

    /// <summary>The cipher suites by their IANA names, in order of preference. Default: all suites that the library supports, AES_128_CCM_8 first.</summary>
    /// <remarks>
    /// <para>Only suites for the configured kinds of keys are used. A server takes the first suite in the client's list that it supports, so the order matters
    /// only on a client.</para>
    /// <para>Supported are TLS_PSK_WITH_ with AES_128_CCM_8, AES_128_CCM, AES_128_GCM_SHA256, AES_256_GCM_SHA384 and CHACHA20_POLY1305_SHA256;
    /// TLS_ECDHE_PSK_WITH_CHACHA20_POLY1305_SHA256; TLS_ECDHE_ECDSA_WITH_ with the same five; TLS_ECDHE_RSA_WITH_ with the last three of them.</para>
    /// </remarks>
    /// <exception cref="ArgumentException">The list is empty, or contains a suite that the library does not support.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public IReadOnlyList<string> CipherSuites { get; init => field = Known(value); } = [.. CipherSuite.Preferred.Select(static suite => suite.Name)];

    /// <summary>Whether handshakes are computed on the lane, so that a test with simulated time is deterministic.</summary>
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
