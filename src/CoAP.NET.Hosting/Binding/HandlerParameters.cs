namespace CoAP.Hosting.Binding;

/// <summary>Describes parameters of typed handlers in errors.</summary>
internal static class HandlerParameters
{
    /// <summary>Returns the first part of an error about the source of a parameter.</summary>
    public static string Describe<T>(IncomingRequest request) =>
        $"A parameter of the handler of '{request.Template ?? request.Path}' has the type {NameOf(typeof(T))}";

    /// <summary>Returns the name of a type as in source.</summary>
    public static string NameOf(Type type) => type.IsGenericType && type.Name.IndexOf('`', StringComparison.Ordinal) is var end and > 0
        ? $"{type.Name[..end]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
        : type.Name;
}
