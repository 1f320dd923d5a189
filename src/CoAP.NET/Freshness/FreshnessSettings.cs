using System.Diagnostics.CodeAnalysis;

namespace CoAP;

/// <summary>How a server checks that requests are fresh, and how a client proves it (RFC 9175, section 2).</summary>
[Experimental(Experiment.Setting, Message = Experiment.SettingMessage)]
public sealed record FreshnessSettings
{
    /// <summary>
    /// How long a key creates Echo values before a new key replaces it. Default: 1 hour. A key is deleted after twice this time, which makes its
    /// values invalid.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than a second or more than a week.</exception>
    public TimeSpan KeyLifetime
    {
        get;
        init => field = Bound.Within(value, TimeSpan.FromSeconds(1), TimeSpan.FromDays(7));
    } = TimeSpan.FromHours(1);

    /// <summary>
    /// How long further requests to a peer carry its latest Echo value (RFC 9175, section 2.3). Default: 1 minute. Zero means never. One value is
    /// kept per peer, together with the other state of that peer.
    /// </summary>
    /// <exception cref="ArgumentOutOfRangeException">Negative.</exception>
    public TimeSpan EchoLifetime { get; init => field = Bound.AtLeast(value, TimeSpan.Zero); } = TimeSpan.FromMinutes(1);
}
