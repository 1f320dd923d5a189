using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>The types of parameters that stand for one thing of a request.</summary>
internal static class RequestValues
{
    public const string Option = "CoAP.Options.CoapOption";

    private const string Bytes = "request.Payload";
    private const string Array = "request.Payload.ToArray()";
    private const string Body = "request.Body";
    private const string Memory = "System.ReadOnlyMemory";

    private static readonly Dictionary<string, string> Expressions = new()
    {
        ["CoAP.IncomingRequest"] = "request",
        ["System.Threading.CancellationToken"] = "cancellationToken",
        ["CoAP.IChannel"] = "request.Channel",
        ["CoAP.PeerIdentity"] = "request.Peer",
        ["System.Security.Claims.ClaimsPrincipal"] = "request.User",
        ["System.IO.Stream"] = Body,
        ["System.IServiceProvider"] = "global::CoAP.Hosting.Binding.HandlerBinding.ServicesOf(request)",
    };

    /// <summary>Returns the expression for a parameter of such a type; <see langword="null"/> for other types.</summary>
    public static string? ExpressionFor(IParameterSymbol parameter)
    {
        var type = parameter.Type;
        if (type is IArrayTypeSymbol { Rank: 1, ElementType.SpecialType: SpecialType.System_Byte }) { return Array; }
        if (type is not INamedTypeSymbol named) { return null; }
        if (named.Arity == 1 && named.TypeArguments[0].SpecialType == SpecialType.System_Byte && TypeChecks.Is(named, Memory)) { return Bytes; }
        // Credentials may be missing, so the parameter has to say so.
        if (TypeChecks.Is(named, "CoAP.PeerCredentials") && TypeChecks.IsNullable(parameter)) { return "request.Credentials"; }
        return named.Arity == 0 && Expressions.TryGetValue($"{named.ContainingNamespace?.ToDisplayString()}.{named.Name}", out var expression) ? expression : null;
    }

    /// <summary>Returns whether an expression is the payload.</summary>
    public static bool IsPayload(string expression) => expression is Bytes or Array or Body;

    /// <summary>Returns whether an option type has the declaration by which it is found.</summary>
    public static bool IsDeclared(ITypeSymbol type) =>
        !type.IsAbstract && type.AllInterfaces.Any(one => TypeChecks.Is(one, "CoAP.Options.IDeclaredOption"));
}
