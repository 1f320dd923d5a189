using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>Finds the bodies of lambda expressions, local functions and methods of the compilation.</summary>
internal sealed class Functions(Compilation compilation)
{
    /// <summary>Returns the body of the function that an expression names; <see langword="null"/> if the expression is not one, or has no source.</summary>
    public IOperation? BodyOf(IOperation? expression) => Unwrap(expression) switch
    {
        IAnonymousFunctionOperation lambda => lambda.Body,
        IMethodReferenceOperation reference => BodyOf(reference.Method),
        _ => null,
    };

    /// <summary>Returns the function that an expression names; <see langword="null"/> if the expression is not one.</summary>
    public static IMethodSymbol? MethodOf(IOperation? expression) => Unwrap(expression) switch
    {
        IAnonymousFunctionOperation lambda => lambda.Symbol,
        IMethodReferenceOperation reference => reference.Method,
        _ => null,
    };

    /// <summary>Returns the body of a method; <see langword="null"/> if it has no source.</summary>
    public IOperation? BodyOf(IMethodSymbol method)
    {
        var source = (method.PartialImplementationPart ?? method).OriginalDefinition;
        if (source.DeclaringSyntaxReferences.FirstOrDefault()?.GetSyntax() is not { } syntax) { return null; }
        return compilation.ContainsSyntaxTree(syntax.SyntaxTree) ? compilation.GetSemanticModel(syntax.SyntaxTree).GetOperation(syntax) : null;
    }

    /// <summary>Returns the values that a function returns, without those of functions inside it.</summary>
    public static IEnumerable<IOperation> ReturnedBy(IOperation body) =>
        Of(body).OfType<IReturnOperation>().Select(one => one.ReturnedValue).Where(value => value is not null)!;

    /// <summary>Returns the operations of a function in their order, without those of functions inside it.</summary>
    public static IEnumerable<IOperation> Of(IOperation body)
    {
        var left = new Stack<IOperation>([body]);
        while (left.Count > 0)
        {
            var operation = left.Pop();
            if (operation != body && operation is (IAnonymousFunctionOperation or ILocalFunctionOperation or INameOfOperation)) { continue; }
            yield return operation;
            foreach (var child in operation.ChildOperations.Reverse()) { left.Push(child); }
        }
    }

    /// <summary>Removes conversions and parentheses from an expression.</summary>
    public static IOperation? Unwrap(IOperation? expression)
    {
        while (true)
        {
            switch (expression)
            {
                case IConversionOperation conversion:
                    expression = conversion.Operand;
                    break;
                case IDelegateCreationOperation creation:
                    expression = creation.Target;
                    break;
                case IParenthesizedOperation parenthesized:
                    expression = parenthesized.Operand;
                    break;
                default:
                    return expression;
            }
        }
    }
}
