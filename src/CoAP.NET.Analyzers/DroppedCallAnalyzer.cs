using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers;

/// <summary>Reports asynchronous calls of the library that nobody awaits, and sequences that nobody reads.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class DroppedCallAnalyzer : LibraryAnalyzer
{
    private static readonly HashSet<string> Wrappers = ["ConfigureAwait", "AsTask", "Preserve", "WithCancellation"];

    /// <summary>Creates the analyzer.</summary>
    public DroppedCallAnalyzer()
        : base(Rules.DroppedCall)
    {
    }

    private protected override void Start(CompilationStartAnalysisContext context, LibraryTypes types) =>
        context.RegisterOperationAction(found => Check(found, types), OperationKind.ExpressionStatement);

    private static void Check(OperationAnalysisContext context, LibraryTypes types)
    {
        var expression = ((IExpressionStatementOperation)context.Operation).Operation;
        if (CallIn(expression) is not { } call || !LibraryTypes.IsOfLibrary(call.TargetMethod)) { return; }
        var method = call.TargetMethod.ReducedFrom ?? call.TargetMethod;
        var text = LibraryTypes.IsTask(method.ReturnType) ? TextOfTask(method, expression, context) : TextOfSequence(method, types);
        if (text is not null) { context.ReportDiagnostic(Diagnostic.Create(Rules.DroppedCall, expression.Syntax.GetLocation(), text)); }
    }

    private static string? TextOfTask(IMethodSymbol method, IOperation expression, OperationAnalysisContext context) =>
        expression is IInvocationOperation && IsInAsyncCode(expression, context.ContainingSymbol)
            ? null // The compiler reports it: CS4014.
            : $"The task of '{method.Name}' is dropped, so nothing waits for its end and its exceptions are lost. Await it, or assign it to '_' if that is intended.";

    private static string? TextOfSequence(IMethodSymbol method, LibraryTypes types)
    {
        if (types.IsAsyncSequence(method.ReturnType)) { return $"'{method.Name}' does nothing until its result is read. Use 'await foreach'."; }
        var isLazy = method.ContainingType.GetMembers(method.Name + "Async").OfType<IMethodSymbol>().Any(twin => types.IsAsyncSequence(twin.ReturnType));
        return isLazy ? $"'{method.Name}' does nothing until its result is read. Use 'foreach'." : null;
    }

    private static IInvocationOperation? CallIn(IOperation? expression)
    {
        while (true)
        {
            switch (expression)
            {
                case IConditionalAccessOperation access:
                    expression = access.WhenNotNull;
                    break;
                case IParenthesizedOperation parenthesized:
                    expression = parenthesized.Operand;
                    break;
                case IInvocationOperation call when Wrappers.Contains(call.TargetMethod.Name) && !LibraryTypes.IsOfLibrary(call.TargetMethod):
                    expression = call.Instance ?? call.Arguments.FirstOrDefault()?.Value;
                    break;
                default:
                    return expression as IInvocationOperation;
            }
        }
    }

    private static bool IsInAsyncCode(IOperation operation, ISymbol owner)
    {
        for (var outer = operation.Parent; outer is not null; outer = outer.Parent)
        {
            if (outer is IAnonymousFunctionOperation lambda) { return lambda.Symbol.IsAsync; }
            if (outer is ILocalFunctionOperation function) { return function.Symbol.IsAsync; }
        }
        return owner is IMethodSymbol { IsAsync: true };
    }
}
