namespace CoAP.Options;

/// <summary>An option type with a static declaration, which <see cref="OptionSet.Get{T}"/> uses to find the option by type.</summary>
public interface IDeclaredOption
{
    /// <summary>The number, limits and factory of the option.</summary>
    static abstract OptionDeclaration Declaration { get; }
}
