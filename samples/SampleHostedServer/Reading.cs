namespace SampleHostedServer;

/// <summary>What a sensor reports.</summary>
/// <param name="Celsius">The temperature.</param>
public sealed record Reading(double Celsius);
