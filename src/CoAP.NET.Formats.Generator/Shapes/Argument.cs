namespace CoAP.Formats.Generation.Shapes;

/// <summary>An argument of the constructor.</summary>
/// <param name="Member">The member whose value is passed; <see langword="null"/> if a constant is passed.</param>
/// <param name="Constant">The constant, if there is no member.</param>
internal sealed record Argument(Member? Member, string Constant);
