using CoAP.Hosting.Generation.Calls;
using CoAP.Hosting.Generation.Results;
using Microsoft.CodeAnalysis;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Decides what becomes of the result of a handler.</summary>
internal static class ResultReader
{
    private const string Tasks = "System.Threading.Tasks";

    public static HandlerReturn Read(HandlerMethod handler, string method, List<Problem> problems)
    {
        var (result, isAsync) = Unwrap(handler.Method.ReturnType);
        if (handler.Method.ReturnsVoid || result is null)
        {
            if (method is "Get" or "Fetch")
            {
                problems.Add(Problem.At(Rules.NoResult, handler.Location, method.ToUpperInvariant(), isAsync ? handler.Method.ReturnType.Name : "void"));
            }
            if (handler.Method is { ReturnsVoid: true, IsAsync: true })
            {
                problems.Add(Problem.At(Rules.Result, handler.Location, "async void", "nothing can wait for its end; return a Task"));
            }
            return new(ResultForm.Nothing, "", isAsync);
        }
        if (TypeChecks.Is(result, "CoAP.CoapResponse")) { return new(ResultForm.Response, "", isAsync); }
        if (Objection(result) is { } objection) { problems.Add(Problem.At(Rules.Result, handler.Location, result.ToDisplayString(), objection)); }
        return new(TypeChecks.IsNullableValue(result) ? ResultForm.NullableValue : ResultForm.Value, TypeNames.OfValue(result), isAsync);
    }

    private static (ITypeSymbol? Result, bool IsAsync) Unwrap(ITypeSymbol type)
    {
        if (type is not INamedTypeSymbol { Name: "Task" or "ValueTask" } task || task.ContainingNamespace.ToDisplayString() != Tasks) { return (type, false); }
        return (task.TypeArguments.FirstOrDefault(), true);
    }

    private static string? Objection(ITypeSymbol type)
    {
        if (type.SpecialType == SpecialType.System_Object || type.TypeKind == TypeKind.Dynamic) { return "no format is known for it; return a specific type or a CoapResponse"; }
        if (TypeChecks.Derives(type, "System.IO.Stream")) { return "its Content-Format is not known; return Response.Content(stream, contentFormat)"; }
        if (Unwrap(type).IsAsync) { return "the result of a task cannot be another task"; }
        if (type.TypeKind is TypeKind.Delegate or TypeKind.Pointer or TypeKind.FunctionPointer) { return "it is no value"; }
        return TypeChecks.Is(type, "System.Collections.Generic.IAsyncEnumerable") ? "it does not end by itself; return a list, or map an observable resource" : null;
    }
}
