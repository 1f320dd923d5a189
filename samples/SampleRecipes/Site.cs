using CoAP.Options;

namespace SampleRecipes;

internal sealed record Site(string Value) : StringOption(Declaration, Value), IDeclaredOption
{
    public static OptionDeclaration Declaration { get; } = OptionDeclaration.String(65_000, "Site", minLength: 1, maxLength: 64, value => new Site(value));
}
