namespace ProgramNamespace;

/// <summary>What a sensor reports.</summary>
/// <param name="Celsius">The temperature in degrees Celsius.</param>
public sealed record Reading(double Celsius);
