namespace CoAP.Formats;

/// <summary>Writes the values of an enum as the names of its members. Without it, they are written as numbers.</summary>
/// <remarks>
/// Values without a name, such as combinations of flags, are written as numbers. Both forms are read. <c>[JsonStringEnumMemberName]</c> is honored.
/// <c>[JsonConverter]</c> with a <c>JsonStringEnumConverter</c> on the enum has the same effect, and applies to JSON too.
/// </remarks>
[AttributeUsage(AttributeTargets.Enum)]
public sealed class PayloadEnumNamesAttribute : Attribute;
