using System.Globalization;
using Microsoft.CodeAnalysis.CSharp;

namespace CoAP.Formats.Generation.Shapes;

/// <summary>The key of a member: a text, or an integer.</summary>
internal sealed record MemberKey(string? Text, int Number)
{
    /// <summary>The key in error messages and as a literal in source.</summary>
    public string Literal => Text is null ? Number.ToString(CultureInfo.InvariantCulture) : SymbolDisplay.FormatLiteral(Text, quote: true);
}
