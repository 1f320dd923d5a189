using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation.Analysis;

/// <summary>The generic collections that have a contract.</summary>
internal static class Collections
{
    private static readonly Dictionary<string, CollectionForm> Forms = new()
    {
        ["List"] = new("ListContract", NamesItself: false, HasKeys: false),
        ["IEnumerable"] = new("SequenceContract", NamesItself: true, HasKeys: false),
        ["ICollection"] = new("SequenceContract", NamesItself: true, HasKeys: false),
        ["IList"] = new("SequenceContract", NamesItself: true, HasKeys: false),
        ["IReadOnlyCollection"] = new("SequenceContract", NamesItself: true, HasKeys: false),
        ["IReadOnlyList"] = new("SequenceContract", NamesItself: true, HasKeys: false),
        ["HashSet"] = new("HashSetContract", NamesItself: false, HasKeys: true),
        ["Dictionary"] = new("DictionaryContract", NamesItself: false, HasKeys: true),
        ["IDictionary"] = new("MapContract", NamesItself: true, HasKeys: true),
        ["IReadOnlyDictionary"] = new("MapContract", NamesItself: true, HasKeys: true),
    };

    /// <summary>Returns the contract of a collection, or <see langword="null"/> if it is none of them.</summary>
    public static CollectionForm? Find(INamedTypeSymbol type) =>
        type.IsGenericType && type.ContainingNamespace?.ToDisplayString() == "System.Collections.Generic"
        && Forms.TryGetValue(type.Name, out var form)
            ? form
            : null;

    /// <summary>Returns whether a peer cannot choose values of a type so that all of them have the same hash code.</summary>
    public static bool IsKey(ITypeSymbol type) => type.SpecialType is SpecialType.System_String
        or (>= SpecialType.System_SByte and <= SpecialType.System_UInt64) || type.ToDisplayString() == "System.Guid";
}
