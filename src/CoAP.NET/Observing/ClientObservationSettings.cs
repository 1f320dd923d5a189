using System.Diagnostics.CodeAnalysis;
using CoAP.Observing;

namespace CoAP;

/// <summary>The settings of this endpoint's observations of its peers' resources (RFC 7641, section 3).</summary>
/// <remarks>Immutable.</remarks>
public sealed record ClientObservationSettings
{
    /// <summary>
    /// The most notifications that wait for a slow reader. Older ones are skipped and counted. Default: 1, because usually only the newest state
    /// matters.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than 1 or more than 65,536.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public int MaxQueuedNotifications { get; init => field = Bound.Within(value, 1, 65_536); } = 1;

    /// <summary>
    /// Whether the end of an observation sends a request with Observe 1. Otherwise the next notification is rejected with a Reset (RFC 7641,
    /// section 3.6). On connections the request is always sent (RFC 8323, section 7.4). Default: <see langword="true"/>.
    /// </summary>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public bool DeregistersOnEnd { get; init; } = true;

    /// <summary>
    /// The longest time without a notification before the observation registers again, whatever the Max-Age. Default: 25 h. A server sends a
    /// confirmable notification at least every 24 h (RFC 7641, section 4.5), so a longer silence means that the observation is lost.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan NotificationTimeout { get; init => field = Bound.Positive(value); } = TimeSpan.FromHours(25);

    /// <summary>
    /// The shortest random wait between the end of Max-Age and a new registration (RFC 7641, section 3.3.1). Default: 5 s. The wait gives a late
    /// notification time to arrive.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MinRegistrationDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(5);

    /// <summary>
    /// The longest random wait between the end of Max-Age and a new registration (RFC 7641, section 3.3.1). Default: 15 s. Random waits keep many
    /// clients from registering at the same moment.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxRegistrationDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(15);

    /// <summary>The shortest time between two registrations, however short Max-Age is. Default: 20 s. It keeps an observation from polling.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MinRegistrationInterval { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(20);

    /// <summary>
    /// The nominal wait after a renewed registration has failed or a connection has ended. It doubles with each further failure. Default: 10 s.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan InitialRetryDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The upper limit of the doubled <see cref="InitialRetryDelay"/>. Default: 5 min. Attempts continue until the reader leaves the observation.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Not positive.</exception>
    [Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
    public TimeSpan MaxRetryDelay { get; init => field = Bound.Positive(value); } = TimeSpan.FromMinutes(5);

    /// <summary>
    /// The store that keeps a client's observations across a restart. Default: <see langword="null"/>, observations are not stored. See
    /// <see cref="IObservingClient.RestoreObservations"/>.
    /// </summary>
    public ISubscriptionStore? Store { get; init; }

    internal SubscriptionTiming Timing => new()
    {
        NotificationTimeout = NotificationTimeout.Ticks,
        MinRegistrationDelay = MinRegistrationDelay.Ticks,
        MaxRegistrationDelay = Math.Max(MinRegistrationDelay.Ticks, MaxRegistrationDelay.Ticks),
        MinRegistrationInterval = MinRegistrationInterval.Ticks,
        InitialRetryDelay = InitialRetryDelay.Ticks,
        MaxRetryDelay = Math.Max(InitialRetryDelay.Ticks, MaxRetryDelay.Ticks),
    };
}
