using Microsoft.CodeAnalysis;

namespace CoAP.Formats.Generation;

/// <summary>What the generator objects to.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor NotPartial = Create(1, "The class must be partial",
        "{0} must be partial, because the generator adds the contracts to it");

    public static readonly DiagnosticDescriptor WrongBase = Create(2, "The class must derive from PayloadContracts",
        "{0} must derive from CoAP.Formats.PayloadContracts to have the attribute [PayloadContract]");

    public static readonly DiagnosticDescriptor Unsupported = Create(3, "The type has no contract",
        "{0} cannot be written as a payload: {1}. Change the type, or leave the property out with [PayloadIgnore].");

    public static readonly DiagnosticDescriptor DuplicateKey = Create(4, "Two properties have the same key",
        "{0} has the key {1}, and so has another property of the type. Set another key with [PayloadKey].");

    public static readonly DiagnosticDescriptor Abstract = Create(5, "The type is abstract",
        "{0} is {1} and cannot be created when a payload is read. Use a class that can be created.");

    public static readonly DiagnosticDescriptor NoConstructor = Create(6, "The type has no usable constructor",
        "{0} cannot be created: {1}. Mark a constructor with [JsonConstructor] whose parameters have the names and types of properties.");

    public static readonly DiagnosticDescriptor Inaccessible = Create(7, "The type is not accessible",
        "{0} is not accessible from {1}. Make it internal or public.");

    public static readonly DiagnosticDescriptor NoSetter = Create(8, "A required property cannot be set",
        "{0} is required, but {1}");

    public static readonly DiagnosticDescriptor Polymorphic = Create(9, "Polymorphic types are not supported",
        "{0} has the attribute [{1}], but payloads do not tell derived types apart. "
        + "Use one property for each derived type, or a contract written by hand.");

    public static readonly DiagnosticDescriptor WrongPlace = Create(10, "The class cannot be completed",
        "{0} {1}, so that the generator cannot add contracts to it");

    public static readonly DiagnosticDescriptor OpenGeneric = Create(11, "The type has open type parameters",
        "{0} has open type parameters. Name the types, such as in typeof(Page<Reading>).");

    public static readonly DiagnosticDescriptor Condition = Create(12, "The condition of [JsonIgnore] is not supported",
        "{0} has a condition of [JsonIgnore] that is not supported. Use Never, Always, WhenWritingNull or WhenWritingDefault.");

    /// <summary>All rules by their identifiers.</summary>
    public static IReadOnlyDictionary<string, DiagnosticDescriptor> All { get; } = new[]
    {
        NotPartial, WrongBase, Unsupported, DuplicateKey, Abstract, NoConstructor, Inaccessible, NoSetter, Polymorphic, WrongPlace, OpenGeneric,
        Condition,
    }.ToDictionary(rule => rule.Id);

    private static DiagnosticDescriptor Create(int number, string title, string message) =>
        new($"COAP{number:000}", title, message, "CoAP.Formats", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
