using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace CoAP.Formats;

/// <summary>Lets System.Text.Json refuse what the other formats refuse: null where the type does not allow it, and objects that lack
/// a member.</summary>
internal static class JsonStrictness
{
    /// <summary>Returns options for writing. Those of a source-generated context are kept.</summary>
    public static JsonSerializerOptions Writing(IJsonTypeInfoResolver resolver)
    {
        ArgumentNullException.ThrowIfNull(resolver);
        return resolver is JsonSerializerContext context ? context.Options : new JsonSerializerOptions { TypeInfoResolver = resolver };
    }

    /// <summary>Returns strict options for reading. They are not used for writing: they disable the fast code that the source generator
    /// creates.</summary>
    public static JsonSerializerOptions Reading(IJsonTypeInfoResolver resolver) => new(Writing(resolver))
    {
        RespectNullableAnnotations = true,
        TypeInfoResolver = resolver.WithAddedModifier(Require).WithAddedModifier(JsonTables.Seed),
    };

    /// <summary>Returns options for reading that are no stricter than those of the caller.</summary>
    [return: NotNullIfNotNull(nameof(options))]
    public static JsonSerializerOptions? Seeded(JsonSerializerOptions? options) => options is not { TypeInfoResolver: { } resolver }
        ? options
        : new(options) { TypeInfoResolver = resolver.WithAddedModifier(JsonTables.Seed) };

    // RespectRequiredConstructorParameters would also require members that the writer leaves out.
    private static void Require(JsonTypeInfo type)
    {
        if (type.Options.DefaultIgnoreCondition is JsonIgnoreCondition.WhenWritingDefault) { return; }
        foreach (var property in type.Properties)
        {
            if (property is not { ShouldSerialize: null, AssociatedParameter: { HasDefaultValue: false, IsNullable: false } }) { continue; }
            property.Set ??= static (_, _) => { };      // Only a property with a setter can be required. The constructor sets the value.
            property.IsRequired = true;
        }
    }
}
