namespace CoAP.Formats;

/// <summary>
/// Adds a type to the contracts of a partial class that derives from <see cref="PayloadContracts"/>. The source generator writes the code.
/// </summary>
/// <remarks>
/// <para>The types of its properties are added too. The generator supports classes, structs, records, enums, the types of
/// <see cref="PayloadContracts.Builtin"/>, and nullable values, arrays, lists and dictionaries of all of these. The items of sets and the keys of
/// dictionaries are texts, integers or GUIDs. An object is written as a map of its public properties in the order of their declaration, those of base
/// classes first.</para>
/// <para>The names are those of System.Text.Json: the name of the property, unless <c>[JsonPropertyName]</c> or <see cref="PayloadKeyAttribute"/>
/// sets another one. <c>[JsonIgnore]</c>, <c>[JsonConstructor]</c> and <c>[JsonRequired]</c> are honored.</para>
/// <para>When a map is read, entries with unknown keys are skipped. Required properties, and parameters of the constructor
/// without a default, must be present. Null is an error for types that do not allow it.</para>
/// </remarks>
/// <param name="type">The type.</param>
[AttributeUsage(AttributeTargets.Class, AllowMultiple = true, Inherited = false)]
public sealed class PayloadContractAttribute(Type type) : Attribute
{
    /// <summary>The type.</summary>
    public Type Type { get; } = type;
}
