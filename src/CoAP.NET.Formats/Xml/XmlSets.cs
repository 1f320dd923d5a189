using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace CoAP.Formats;

/// <summary>
/// Finds the sets in what <see cref="System.Xml.Serialization.XmlSerializer"/> reads: it creates them with their default comparer.
/// </summary>
[RequiresUnreferencedCode("Uses reflection over the members of the types.")]
internal static class XmlSets
{
    /// <summary>Returns whether a value of the type can contain a set whose hash codes a peer can foresee.</summary>
    public static bool Has(Type type) => Has(type, []);

    private static bool Has(Type type, HashSet<Type> seen)
    {
        if (type.IsPrimitive || type == typeof(string) || type == typeof(object) || !seen.Add(type)) { return false; }
        if (type.GetInterfaces().Any(IsUnsafeSet)) { return true; }
        var parts = type.GetProperties(BindingFlags.Public | BindingFlags.Instance).Select(static one => one.PropertyType)
            .Concat(type.GetFields(BindingFlags.Public | BindingFlags.Instance).Select(static one => one.FieldType))
            .Concat(type.IsGenericType ? type.GetGenericArguments() : [])
            .Concat(type.GetCustomAttributes<System.Xml.Serialization.XmlIncludeAttribute>().Select(static one => one.Type))
            .Append(type.GetElementType())
            .Append(type.BaseType);
        return parts.OfType<Type>().Any(part => Has(part, seen));
    }

    private static bool IsUnsafeSet(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() == typeof(ISet<>)
        && type.GetGenericArguments()[0] != typeof(string);
}
