namespace CoAP.Options;

/// <summary>An option type that names its declaration, so that <see cref="OptionSet.Get{T}"/> finds it by type.</summary>
public interface IDeclaredOption
{
    /// <summary>The number, limits and factory of the option.</summary>
    static abstract OptionDeclaration Declaration { get; }
}
