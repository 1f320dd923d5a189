namespace CoAP.Tool.Observing;

/// <summary>A number in a payload.</summary>
/// <param name="Name">The name or path of the number, such as "rooms/1/celsius". "value" if the payload is a single number.</param>
/// <param name="Value">The number.</param>
/// <param name="Unit">The unit; <see langword="null"/> if the payload names none.</param>
internal readonly record struct NamedNumber(string Name, double Value, string? Unit = null);
