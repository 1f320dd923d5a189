using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Results;

/// <summary>What the generator objects to.</summary>
internal static class Rules
{
    public static readonly DiagnosticDescriptor Handler = Create(101, "The handler is not visible",
        "The handler of {0} must be a lambda expression or a method. The generator cannot see the parameters of a variable or of the result of a call.");

    public static readonly DiagnosticDescriptor Template = Create(102, "The template is invalid",
        "Template '{0}' cannot be mapped: {1}");

    public static readonly DiagnosticDescriptor NotInTemplate = Create(103, "The template has no such placeholder",
        "Parameter '{0}' has [FromRoute], but {1}");

    public static readonly DiagnosticDescriptor ByReference = Create(104, "A parameter is passed by reference",
        "Parameter '{0}' is passed by {1}. Remove the modifier: each request has values of its own.");

    public static readonly DiagnosticDescriptor Inaccessible = Create(105, "A type of the handler is not accessible",
        "{0} is {1}, so generated code cannot name it. Use an internal or public type.");

    public static readonly DiagnosticDescriptor OpenGeneric = Create(106, "A type of the handler has open type parameters",
        "{0} contains a type parameter. Map the handler where the type is known.");

    public static readonly DiagnosticDescriptor TwoPayloads = Create(107, "Two parameters read the payload",
        "Parameters '{0}' and '{1}' both read the payload, which can be read once. Combine them in one type, or mark services with [FromServices].");

    public static readonly DiagnosticDescriptor NoPayload = Create(108, "The method has no payload",
        "Parameter '{0}' reads the payload, but a {1} request has none (RFC 7252, section 5.5)");

    public static readonly DiagnosticDescriptor NoResult = Create(109, "The handler returns nothing",
        "A handler for {0} must return a value or a CoapResponse; this one returns {1}");

    public static readonly DiagnosticDescriptor Parameter = Create(110, "A parameter cannot be read",
        "Parameter '{0}' {1}");

    public static readonly DiagnosticDescriptor Result = Create(111, "The result cannot be sent",
        "A handler cannot return {0}: {1}");

    /// <summary>All rules by their identifiers.</summary>
    public static IReadOnlyDictionary<string, DiagnosticDescriptor> All { get; } = new[]
    {
        Handler, Template, NotInTemplate, ByReference, Inaccessible, OpenGeneric, TwoPayloads, NoPayload, NoResult, Parameter, Result,
    }.ToDictionary(rule => rule.Id);

    private static DiagnosticDescriptor Create(int number, string title, string message) =>
        new($"COAP{number:000}", title, message, "CoAP.Hosting", DiagnosticSeverity.Error, isEnabledByDefault: true);
}
