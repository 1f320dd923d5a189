namespace CoAP.Groups;

/// <summary>How a request to a group is sent.</summary>
/// <param name="Settings">The settings; <see langword="null"/> for those of the client.</param>
/// <param name="ListenFor">The time to wait for responses; <see langword="null"/> for that of the settings.</param>
internal sealed record GroupPlan(MulticastRequestSettings? Settings, TimeSpan? ListenFor = null)
{
    /// <summary>Returns the whole settings.</summary>
    /// <param name="defaults">The settings of the client.</param>
    public MulticastRequestSettings Complete(MulticastRequestSettings defaults)
    {
        var settings = Settings ?? defaults;
        return ListenFor is { } time ? settings with { ListenFor = time } : settings;
    }
}
