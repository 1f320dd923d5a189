using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>The attribute of a parameter that names its source.</summary>
internal static class Attributes
{
    private const string Route = "CoAP.Hosting.FromRouteAttribute";
    private const string Query = "CoAP.Hosting.FromQueryAttribute";
    private const string Services = "CoAP.Hosting.FromServicesAttribute";
    private const string Payload = "CoAP.Hosting.FromPayloadAttribute";

    /// <summary>Returns the name of the source, such as "Route", and the constant argument of the attribute.</summary>
    public static (string? Source, object? Argument) Read(IParameterSymbol parameter)
    {
        foreach (var attribute in parameter.GetAttributes())
        {
            var source = attribute.AttributeClass?.ToDisplayString() switch
            {
                Route => "Route",
                Query => "Query",
                Services => "Services",
                Payload => "Payload",
                _ => null,
            };
            if (source is not null) { return (source, ArgumentOf(attribute)); }
        }
        return default;
    }

    // A key that is a value of an enumeration is written with its type, so that it equals the registered one.
    private static object? ArgumentOf(AttributeData attribute) => attribute.ConstructorArguments.FirstOrDefault() switch
    {
        { Kind: TypedConstantKind.Enum, Value: { } value, Type: { } type } => new EnumKey($"({TypeNames.Of(type)})({Defaults.Literal(value)})"),
        { Kind: TypedConstantKind.Primitive, Value: { } value } => value,
        _ => null,
    };

    /// <summary>A value of an enumeration as an expression.</summary>
    internal sealed record EnumKey(string Expression);
}
