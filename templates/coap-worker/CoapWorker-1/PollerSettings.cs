namespace ProgramNamespace;

/// <summary>The section "Poller" of the configuration.</summary>
public sealed class PollerSettings
{
    /// <summary>The number of the sensor.</summary>
    public int Sensor { get; set; } = 1;

    /// <summary>The time between two readings.</summary>
    public TimeSpan Period { get; set; } = TimeSpan.FromSeconds(10);
}
