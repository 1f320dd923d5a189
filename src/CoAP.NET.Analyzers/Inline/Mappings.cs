using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>Finds the code that runs on the lane: where the library is given it, and where it overrides a method of the library.</summary>
/// <remarks>
/// HandlerMode.Buffered runs on threads that may block. Synchronous handlers without a mode may block, too: they run on the lane only after
/// many quick calls. A step runs on the lane for inline handlers and for requests without a handler.
/// </remarks>
internal sealed class Mappings(LibraryTypes types, Compilation compilation)
{
    private readonly Functions _functions = new(compilation);

    /// <summary>Returns the code that a call hands to the library.</summary>
    public IEnumerable<InlineCode> In(IInvocationOperation call)
    {
        if (!LibraryTypes.IsOfLibrary(call.TargetMethod)) { return []; }
        return call.TargetMethod.Name switch
        {
            "Use" => StepsOf(ArgumentOf(call, "step")),
            "Authorize" => Code(ArgumentOf(call, "authorizer"), InlineCode.Authorizer),
            "Filter" => Code(ArgumentOf(call, "accepts"), InlineCode.Filter),
            _ when ArgumentOf(call, "mode") is { } mode => IsInline(mode) ? OfMapping(call) : [],
            _ when ArgumentOf(call, "handler") is { } handler && IsTyped(call) => OfTyped(handler),
            _ => [],
        };
    }

    /// <summary>Returns the authorizer that a delegate is made of.</summary>
    public IEnumerable<InlineCode> In(IDelegateCreationOperation creation) =>
        LibraryTypes.Is(creation.Type, types.Authorizer) ? Code(creation, InlineCode.Authorizer) : [];

    /// <summary>Returns the bodies of a method that processes items of a stage.</summary>
    public IEnumerable<InlineCode> In(ISymbol owner, ImmutableArray<IOperation> bodies) =>
        owner is IMethodSymbol { IsOverride: true, Name: "Process" } method && LibraryTypes.Is(method.ContainingType, types.InlineTarget)
            ? bodies.Select(InlineCode.Stage)
            : [];

    private IEnumerable<InlineCode> OfMapping(IInvocationOperation call)
    {
        if (ArgumentOf(call, "handler") is { } handler) { return Code(handler, AsHandler); }
        if (ArgumentOf(call, "create") is { } create) { return Code(create, AsHandler).Concat(CreatedBy(create).SelectMany(MethodsOf)); }
        return MethodsOf(ArgumentOf(call, "resource") is { } resource ? Functions.Unwrap(resource)?.Type : call.TargetMethod.TypeArguments.FirstOrDefault());
    }

    // A typed handler is inline if it returns a task. Otherwise it learns.
    private IEnumerable<InlineCode> OfTyped(IOperation handler) => Functions.MethodOf(handler) is { } method && LibraryTypes.IsTask(method.ReturnType)
        ? Code(handler, body => InlineCode.Handler(body, InlineCode.Synchronous))
        : [];

    private IEnumerable<InlineCode> StepsOf(IOperation? step)
    {
        if (_functions.BodyOf(step) is not { } body) { return []; }
        return Functions.ReturnedBy(body).SelectMany(returned => Code(returned, InlineCode.Step));
    }

    private IEnumerable<ITypeSymbol?> CreatedBy(IOperation create) =>
        _functions.BodyOf(create) is { } body ? Functions.ReturnedBy(body).Select(value => Functions.Unwrap(value)?.Type) : [];

    private IEnumerable<InlineCode> MethodsOf(ITypeSymbol? type)
    {
        for (var current = type; current is not null && LibraryTypes.Is(current, types.Resource); current = current.BaseType)
        {
            foreach (var method in current.GetMembers().OfType<IMethodSymbol>().Where(IsHandler))
            {
                if (_functions.BodyOf(method) is { } body) { yield return AsHandler(body); }
            }
        }
    }

    private bool IsHandler(IMethodSymbol method)
    {
        if (!method.IsOverride) { return false; }
        var original = method;
        while (original.OverriddenMethod is { } overridden) { original = overridden; }
        return SymbolEqualityComparer.Default.Equals(original.ContainingType, types.Resource);
    }

    private IEnumerable<InlineCode> Code(IOperation? function, Func<IOperation, InlineCode> make) => _functions.BodyOf(function) is { } body ? [make(body)] : [];

    private bool IsInline(IOperation mode) => mode.ConstantValue is { HasValue: true, Value: int value }
        && types.HandlerMode?.GetMembers("Inline").OfType<IFieldSymbol>().FirstOrDefault()?.ConstantValue is int inline && value == inline;

    private static InlineCode AsHandler(IOperation body) => InlineCode.Handler(body, InlineCode.Buffered);

    private static bool IsTyped(IInvocationOperation call) => call.TargetMethod.Name.StartsWith("MapCoap", StringComparison.Ordinal);

    private static IOperation? ArgumentOf(IInvocationOperation call, string parameter) =>
        call.Arguments.FirstOrDefault(argument => argument.Parameter?.Name == parameter)?.Value;
}
