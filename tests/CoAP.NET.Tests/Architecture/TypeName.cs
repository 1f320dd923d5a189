using System.Reflection;

namespace CoAP.Tests.Architecture;

/// <summary>Types as C# writes them.</summary>
internal static class TypeName
{
    private static readonly Dictionary<Type, string> Keywords = new()
    {
        [typeof(void)] = "void",
        [typeof(bool)] = "bool",
        [typeof(byte)] = "byte",
        [typeof(ushort)] = "ushort",
        [typeof(int)] = "int",
        [typeof(uint)] = "uint",
        [typeof(long)] = "long",
        [typeof(ulong)] = "ulong",
        [typeof(double)] = "double",
        [typeof(string)] = "string",
        [typeof(object)] = "object",
    };

    /// <summary>With its namespace and the types it is nested in.</summary>
    public static string Full(Type type) => $"{type.Namespace}.{Of(type)}";

    public static string Of(PropertyInfo property) => Of(property.PropertyType) + Mark(new NullabilityInfoContext().Create(property).ReadState, property.PropertyType);

    public static string Of(ParameterInfo parameter) => Of(parameter.ParameterType) + Mark(new NullabilityInfoContext().Create(parameter).ReadState, parameter.ParameterType);

    public static string Of(Type type)
    {
        if (type.IsByRef) { return Of(type.GetElementType()!); }
        if (type.IsArray) { return Of(type.GetElementType()!) + "[]"; }
        if (Nullable.GetUnderlyingType(type) is { } value) { return Of(value) + "?"; }
        if (type.IsGenericParameter) { return type.Name; }
        var outer = type.DeclaringType is { } owner ? Of(owner) + "." : "";
        var simple = Keywords.GetValueOrDefault(type) ?? type.Name.Split('`')[0];
        return outer + simple + (type.IsGenericType && type.Name.Contains('`') ? $"<{string.Join(", ", type.GetGenericArguments().Select(Of))}>" : "");
    }

    private static string Mark(NullabilityState state, Type type) => state == NullabilityState.Nullable && !type.IsValueType && Nullable.GetUnderlyingType(type) is null ? "?" : "";
}
