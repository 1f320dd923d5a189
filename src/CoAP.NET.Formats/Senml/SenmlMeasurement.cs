namespace CoAP.Formats;

/// <summary>A measurement or parameter with its full name and its absolute time: what a SenML record means, without base fields.</summary>
/// <param name="Name">The full name of the sensor or parameter, such as "urn:dev:ow:10e2073a01080063:temperature".</param>
/// <param name="Time">The time of the measurement. SenML has a precision of about one microsecond; times are rounded to microseconds.</param>
/// <param name="Value">The value; <see langword="null"/> if there is only a sum, or a field that RFC 8428 does not define.</param>
/// <remarks>Immutable. <see cref="SenmlPack.Of"/> creates a pack of measurements. <c>ToMeasurements</c> returns the measurements of a pack.</remarks>
public sealed record SenmlMeasurement(string Name, DateTimeOffset Time, SenmlValue? Value)
{
    /// <summary>The unit, such as <see cref="SenmlUnits.DegreesCelsius"/>; <see langword="null"/> if the context gives it.</summary>
    public string? Unit { get; init; }

    /// <summary>The integral of the value over time, in the unit multiplied by seconds; <see langword="null"/> if there is none.</summary>
    public double? Sum { get; init; }

    /// <summary>
    /// The time in seconds since 1970 if <see cref="Time"/> cannot express it, because it is before year 1 or after year 9999; otherwise
    /// <see langword="null"/>. <see cref="Time"/> is then <see cref="DateTimeOffset.MinValue"/> or <see cref="DateTimeOffset.MaxValue"/>.
    /// </summary>
    public double? TimeOutOfRange { get; init; }

    /// <summary>The time within which the sensor sends the next value; <see langword="null"/> if it does not say.</summary>
    public TimeSpan? UpdateTime { get; init; }

    /// <summary>
    /// The update time in seconds if it is negative or longer than 8,000 years; otherwise <see langword="null"/>.
    /// <see cref="UpdateTime"/> is then <see langword="null"/>.
    /// </summary>
    public double? UpdateTimeOutOfRange { get; init; }
}
