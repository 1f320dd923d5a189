namespace CoAP.Vocabulary;

/// <summary>Names types in error messages as in C#, and tells what to do about a type that no format handles.</summary>
internal static class TypeAdvice
{
    /// <summary>Returns the name of a type as in C#, such as List&lt;Reading&gt;.</summary>
    public static string NameOf(Type type)
    {
        if (type is { IsArray: true } && type.GetElementType() is { } element) { return $"{NameOf(element)}[]"; }
        if (Nullable.GetUnderlyingType(type) is { } value) { return $"{NameOf(value)}?"; }
        if (IsAnonymous(type)) { return "an anonymous type"; }
        return type.IsGenericType
            ? $"{type.Name.Split('`')[0]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
            : type.ToString().Replace('+', '.');
    }

    /// <summary>Returns what to do about a type that none of the formats handles.</summary>
    public static string For(Type type, PayloadFormats formats)
    {
        if (type == typeof(object)) { return "Name the type of the value as the type argument."; }
        if (IsAnonymous(type)) { return "Declare a record with these members, and add it to the contracts of a format."; }
        if (IsGeneric(type, typeof(Task<>)) || IsGeneric(type, typeof(ValueTask<>))) { return "Await the task and pass its result."; }
        if (IsGeneric(type, typeof(IEnumerable<>)))
        {
            var item = NameOf(type.GetGenericArguments()[0]);
            return $"Pass an array, with ToArray(), and add typeof({item}[]) to the contracts of a format.";
        }
        for (var ancestor = type.BaseType; ancestor is not null && ancestor != typeof(object); ancestor = ancestor.BaseType)
        {
            if (formats.TryFind(ancestor, out _)) { return $"To send the members of {NameOf(ancestor)} only, name it as the type argument. Otherwise, {Add(type)}"; }
        }
        return $"Add a format that handles the type to CoapEndpointSettings.Formats, or {Add(type)}";
    }

    private static string Add(Type type) => $"add typeof({NameOf(type)}) to the contracts of a format.";

    private static bool IsGeneric(Type type, Type definition) => type.IsGenericType && type.GetGenericTypeDefinition() == definition;

    private static bool IsAnonymous(Type type) => type.Name.StartsWith("<>", StringComparison.Ordinal);
}
