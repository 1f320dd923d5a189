using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>The settings of observers of this endpoint's resources (RFC 7641, section 4).</summary>
/// <remarks>
/// Immutable. A client that exceeds a limit gets a response without an Observe option, which tells it that it is not an observer (RFC 7641,
/// section 4.1). A metric counts these responses.
/// </remarks>
public sealed record ServerObservationSettings
{
    private static readonly TimeSpan Day = TimeSpan.FromHours(24);

    /// <summary>The largest number of observations of all peers. Default: 100,000. An observation takes about 1 KiB of memory. One account holds at most
    /// as many as are still free (<see cref="Account"/>). If it is 0, no client becomes an observer.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public int MaxObservations { get; init => field = Bound.AtLeast(value, 0); } = 100_000;

    /// <summary>
    /// The most notifications that a lane sends in one turn. Default: 128. Between turns the lane answers requests, so a change with many observers does
    /// not delay them. While messages wait to be received, a turn sends an eighth of the notifications.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxNotificationsPerTurn { get; init => field = Bound.AtLeast(value, 1); } = 128;

    /// <summary>
    /// Whether notifications in datagrams are confirmable if the resource has no setting for this. Default: <see langword="true"/>. Until a client
    /// has acknowledged a notification, all its notifications are confirmable, because its address may be forged.
    /// </summary>
    /// <remarks>If the last of several non-confirmable notifications is lost, the client notices it only when Max-Age expires.</remarks>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool IsConfirmable { get; init; } = true;

    /// <summary>
    /// The interval, in notifications, at which one is confirmable although the others are not. Default: 10. Its acknowledgement shows that the client
    /// still exists (RFC 7641, section 4.5).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int ConfirmableEvery { get; init => field = Bound.AtLeast(value, 1); } = 10;

    /// <summary>
    /// The longest time without an acknowledgement from a client. After that, the client gets a confirmable notification even if nothing has changed.
    /// Default: 24 h, which is also the maximum (RFC 7641, section 4.5).
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive, or longer than 24 hours.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan ConfirmableInterval { get; init => field = Bound.Within(value, TimeSpan.FromTicks(1), Day); } = Day;

    /// <summary>
    /// The time after which a client with an unverified address gets a confirmable notification even if nothing has changed. Default: 5 min. A forged
    /// address (RFC 9175, section 2.4) does not acknowledge it, so its observation ends soon.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan UnverifiedTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The shortest Max-Age at which observers get a new notification before it expires, even without a change (RFC 7641, section 4.3.1). Default: 30 s;
    /// <see langword="null"/> for never. A resource can decide otherwise.
    /// </summary>
    /// <remarks>
    /// The handler is called between 5/8 and 6/8 of Max-Age, and the notifications of one representation are spread over the next eighth. Without them, each
    /// client registers again after Max-Age, which takes two messages as well, and the server cannot choose the time.
    /// </remarks>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan? MinRefreshedAge { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// The store that keeps observers over datagrams across a restart of the server. When the server starts, each stored observer gets a confirmable
    /// notification with the current state. Default: <see langword="null"/>, observers are not stored.
    /// </summary>
    public IObserverStore? Store { get; init; }
}
