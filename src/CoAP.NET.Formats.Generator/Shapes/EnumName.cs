namespace CoAP.Formats.Generation.Shapes;

/// <summary>A member of an enum.</summary>
/// <param name="Member">The name of the member in source.</param>
/// <param name="Name">The name in payloads.</param>
/// <param name="IsFirstOfValue">Whether no earlier member has the same value.</param>
internal sealed record EnumName(string Member, string Name, bool IsFirstOfValue);
