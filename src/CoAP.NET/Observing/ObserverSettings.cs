namespace CoAP;

/// <summary>How observations of this endpoint's resources are kept and served (RFC 7641).</summary>
/// <remarks>
/// A client that asks for more than a limit allows gets its representation without an Observe option, so that it knows that it is no observer
/// (RFC 7641, section 4.1); the meter counts it.
/// </remarks>
public sealed record ObserverSettings
{
    private static readonly TimeSpan Day = TimeSpan.FromHours(24);

    /// <summary>The observations of one peer; 256 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxPerPeer { get; init => field = Bound.AtLeast(value, 0); } = 256;

    /// <summary>The observations of all peers; 100,000 by default. Each holds about a kibibyte.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxObservations { get; init => field = Bound.AtLeast(value, 0); } = 100_000;

    /// <summary>The notifications that a lane begins in one turn, so that requests are answered between them; 128 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int NotificationsPerTurn { get; init => field = Bound.AtLeast(value, 1); } = 128;

    /// <summary>
    /// Whether notifications in datagrams are confirmable where the resource says nothing; true by default. A client that has not acknowledged
    /// anything yet gets confirmable ones in any case: its address may be forged.
    /// </summary>
    /// <remarks>Of non-confirmable notifications the last one may be lost, and the client only notices when its Max-Age is over.</remarks>
    public bool IsConfirmable { get; init; } = true;

    /// <summary>Where notifications are non-confirmable: one in so many is confirmable all the same; 10 by default.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    public int ConfirmableEvery { get; init => field = Bound.AtLeast(value, 1); } = 10;

    /// <summary>
    /// The longest time for which a client need not acknowledge anything; 24 hours by default and at most (RFC 7641, section 4.5). After that it
    /// gets a confirmable notification even if nothing has changed.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than 24 hours.</exception>
    public TimeSpan ConfirmableWithin { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), Day); } = Day;

    /// <summary>
    /// How long a client observes whose address is not verified (RFC 9175, section 2.4) before it has to acknowledge something; 5 minutes by
    /// default. Then it gets a confirmable notification even if nothing has changed.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    public TimeSpan UnverifiedFor { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// Where a server keeps its observers in datagrams, over a restart; nowhere by default. When the server starts, those that were kept get a
    /// confirmable notification of the current state.
    /// </summary>
    public IObserverStore? Store { get; init; }
}
