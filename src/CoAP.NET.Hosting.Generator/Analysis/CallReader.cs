using CoAP.Formats.Generation;
using CoAP.Hosting.Generation.Calls;
using CoAP.Hosting.Generation.Results;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Hosting.Generation.Analysis;

/// <summary>Reads a call of MapCoapGet or one of its like.</summary>
internal static class CallReader
{
    private const string Prefix = "MapCoap";

    private static readonly HashSet<string> Methods = ["Get", "Post", "Put", "Delete", "Fetch", "Patch", "IPatch"];

    private static readonly HashSet<string> Owners =
    [
        "Microsoft.Extensions.Hosting.CoapHandlerHostExtensions", "CoAP.CoapHandlerMapExtensions", "CoAP.CoapHandlerGroupExtensions",
    ];

    /// <summary>Returns whether a node can be such a call, by its name alone.</summary>
    public static bool IsCandidate(SyntaxNode node) => node is InvocationExpressionSyntax { ArgumentList.Arguments.Count: >= 2 and <= 3 } call
        && NameOf(call.Expression) is { } name && name.StartsWith(Prefix, StringComparison.Ordinal) && Methods.Contains(name.Substring(Prefix.Length));

    /// <summary>Reads a call; <see langword="null"/> if it is that of another method, or does not compile.</summary>
    public static CallResult? Read(GeneratorSyntaxContext context, CancellationToken cancellationToken)
    {
        var syntax = (InvocationExpressionSyntax)context.Node;
        if (context.SemanticModel.GetOperation(syntax, cancellationToken) is not IInvocationOperation operation) { return null; }
        var method = operation.TargetMethod.ReducedFrom ?? operation.TargetMethod;
        if (!Owners.Contains(method.ContainingType.ToDisplayString())) { return null; }
        if (context.SemanticModel.GetInterceptableLocation(syntax, cancellationToken) is not { } location) { return null; }
        var problems = new List<Problem>();
        var call = Read(operation, method, location.GetInterceptsLocationAttributeSyntax(), context.SemanticModel.Compilation, problems);
        return new CallResult(problems.Count == 0 ? call : null, new EqualArray<Problem>([.. problems]));
    }

    private static HandlerCall? Read(
        IInvocationOperation operation, IMethodSymbol method, string location, Compilation compilation, List<Problem> problems)
    {
        var name = method.Name.Substring(Prefix.Length);
        if (HandlerMethod.Find(ArgumentOf(operation, "handler")) is not { } handler)
        {
            problems.Add(Problem.At(Rules.Handler, operation.Syntax.GetLocation(), method.Name));
            return null;
        }
        if (handler.HasErrors) { return null; }
        var template = TemplateReader.Read(ArgumentOf(operation, "template"), isWhole: method.Parameters[0].Type.Name != "ResourceGroup", problems);
        if (!TypeChecks.Check(handler, compilation, problems)) { return null; }
        var parameters = new ParameterReader(name, template, problems).Read(handler);
        var result = ResultReader.Read(handler, name, problems);
        return new HandlerCall(
            location, TypeNames.Of(method.Parameters[0].Type), name, handler.DelegateTypeName, handler.Shape,
            new EqualArray<HandlerParameter>(parameters), result);
    }

    private static IOperation? ArgumentOf(IInvocationOperation operation, string parameter) =>
        operation.Arguments.FirstOrDefault(argument => argument.Parameter?.Name == parameter)?.Value;

    private static string? NameOf(ExpressionSyntax expression) => expression switch
    {
        MemberAccessExpressionSyntax member => member.Name.Identifier.ValueText,
        MemberBindingExpressionSyntax member => member.Name.Identifier.ValueText,
        SimpleNameSyntax simple => simple.Identifier.ValueText,
        _ => null,
    };
}
