using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>The lambda expression or the method that is the handler of a call.</summary>
internal sealed class HandlerMethod(IMethodSymbol method, INamedTypeSymbol? delegateType, Location location)
{
    public IMethodSymbol Method { get; } = method;

    /// <summary>The place of the handler, for diagnostics on its types.</summary>
    public Location Location { get; } = location;

    /// <summary>The type of the delegate; <see langword="null"/> if the compiler makes one that has no name.</summary>
    public string? DelegateTypeName => delegateType is { CanBeReferencedByName: true, IsAnonymousType: false } ? TypeNames.Of(delegateType) : null;

    /// <summary>A lambda expression with the same parameters, defaults and result, for which the compiler makes the same type.</summary>
    public string Shape =>
        $"{TypeNames.OfResult(Method)} ({string.Join(", ", Method.Parameters.Select((parameter, i) => ShapeOf(parameter, i)))}) => throw null!";

    /// <summary>Whether a type does not exist; the compiler reports it.</summary>
    public bool HasErrors => Method.ReturnType.TypeKind == TypeKind.Error || Method.Parameters.Any(parameter => parameter.Type.TypeKind == TypeKind.Error);

    /// <summary>Finds the handler in the argument of a call; <see langword="null"/> if it is neither a lambda expression nor a method.</summary>
    public static HandlerMethod? Find(IOperation? argument)
    {
        INamedTypeSymbol? type = null;
        while (argument is IConversionOperation or IDelegateCreationOperation or IParenthesizedOperation)
        {
            if (argument is IDelegateCreationOperation creation) { type = creation.Type as INamedTypeSymbol; }
            argument = argument switch
            {
                IConversionOperation conversion => conversion.Operand,
                IDelegateCreationOperation created => created.Target,
                _ => ((IParenthesizedOperation)argument).Operand,
            };
        }
        return argument switch
        {
            IAnonymousFunctionOperation lambda => new(lambda.Symbol, type, lambda.Syntax.GetLocation()),
            IMethodReferenceOperation reference => new(reference.Method, type, reference.Syntax.GetLocation()),
            _ => null,
        };
    }

    /// <summary>Returns the place of a parameter, or that of the handler if the parameter is declared in another compilation.</summary>
    public Location LocationOf(IParameterSymbol parameter) => parameter.Locations.FirstOrDefault(place => place.IsInSource) ?? Location;

    private static string ShapeOf(IParameterSymbol parameter, int index)
    {
        var prefix = parameter.IsParams ? "params " : "";
        var suffix = parameter.HasExplicitDefaultValue ? $" = {Defaults.Of(parameter)}" : "";
        return $"{prefix}{TypeNames.Of(parameter.Type)} p{index}{suffix}";
    }
}
