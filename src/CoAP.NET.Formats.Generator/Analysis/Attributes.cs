using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>The attributes that the generator honors.</summary>
internal static class Attributes
{
    private const string Json = "System.Text.Json.Serialization.";

    public const string Contract = "CoAP.Formats.PayloadContractAttribute";
    public const string Key = "CoAP.Formats.PayloadKeyAttribute";
    public const string Ignore = "CoAP.Formats.PayloadIgnoreAttribute";
    public const string Names = "CoAP.Formats.PayloadEnumNamesAttribute";
    public const string JsonName = Json + "JsonPropertyNameAttribute";
    public const string JsonIgnore = Json + "JsonIgnoreAttribute";
    public const string JsonConstructor = Json + "JsonConstructorAttribute";
    public const string JsonRequired = Json + "JsonRequiredAttribute";
    public const string JsonDerivedType = Json + "JsonDerivedTypeAttribute";
    public const string JsonPolymorphic = Json + "JsonPolymorphicAttribute";
    public const string JsonMemberName = Json + "JsonStringEnumMemberNameAttribute";
    public const string JsonConverter = Json + "JsonConverterAttribute";
    public const string SetsRequiredMembers = "System.Diagnostics.CodeAnalysis.SetsRequiredMembersAttribute";

    /// <summary>Returns an attribute of a symbol, or <see langword="null"/>.</summary>
    public static AttributeData? Find(ISymbol symbol, string name)
    {
        foreach (var attribute in symbol.GetAttributes())
        {
            if (attribute.AttributeClass?.ToDisplayString() == name) { return attribute; }
        }
        return null;
    }

    /// <summary>Returns whether a symbol has an attribute.</summary>
    public static bool Has(ISymbol symbol, string name) => Find(symbol, name) is not null;

    /// <summary>Returns the first argument of an attribute, or <see langword="null"/>.</summary>
    public static object? Argument(ISymbol symbol, string name) =>
        Find(symbol, name) is { ConstructorArguments: { Length: > 0 } arguments } ? arguments[0].Value : null;

    /// <summary>Returns where an attribute is in the source.</summary>
    public static Location? Place(AttributeData attribute, CancellationToken cancellationToken) =>
        attribute.ApplicationSyntaxReference?.GetSyntax(cancellationToken).GetLocation();
}
