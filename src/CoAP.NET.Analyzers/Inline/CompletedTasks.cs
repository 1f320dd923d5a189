using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>The tasks of a function whose results do not block: it has awaited them, or asks whether they have completed.</summary>
internal sealed class CompletedTasks(IOperation body)
{
    private readonly Lazy<HashSet<ISymbol>> _symbols = new(() => Find(body));

    /// <summary>Returns whether a task is one of them.</summary>
    public bool Contains(IOperation task) => RootOf(task) is { } root && _symbols.Value.Contains(root);

    private static HashSet<ISymbol> Find(IOperation body)
    {
        var found = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        foreach (var operation in Functions.Of(body))
        {
            switch (operation)
            {
                case IAwaitOperation awaited:
                    Add(awaited.DescendantsAndSelf());
                    break;
                case IPropertyReferenceOperation { Property.Name: "Status" } asked:
                    Add(asked.ChildOperations);
                    break;
                case IPropertyReferenceOperation asked when asked.Property.Name.StartsWith("IsCompleted", StringComparison.Ordinal):
                    Add(asked.ChildOperations);
                    break;
                case IIsPatternOperation { Pattern: IRecursivePatternOperation } asked:
                    Add([asked.Value]);
                    break;
                case IVariableDeclaratorOperation { Initializer.Value: { } value } declared when Functions.Unwrap(value) is IAwaitOperation:
                    found.Add(declared.Symbol);
                    break;
                case IForEachLoopOperation { LoopControlVariable: IVariableDeclaratorOperation each } loop when RootOf(loop.Collection) is { } all && found.Contains(all):
                    found.Add(each.Symbol);
                    break;
            }
        }
        return found;

        void Add(IEnumerable<IOperation> operations)
        {
            foreach (var root in operations.Select(RootOf)) { if (root is not null) { found.Add(root); } }
        }
    }

    // The variable, field or property behind an expression such as "tasks[0].ConfigureAwait(false)".
    private static ISymbol? RootOf(IOperation? expression) => Functions.Unwrap(expression) switch
    {
        ILocalReferenceOperation local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        IFieldReferenceOperation field => field.Field,
        IPropertyReferenceOperation { Property.IsIndexer: true } indexed => RootOf(indexed.Instance),
        IPropertyReferenceOperation property => property.Property,
        IArrayElementReferenceOperation element => RootOf(element.ArrayReference),
        IInvocationOperation { TargetMethod.Name: "ConfigureAwait" or "AsTask" or "GetAwaiter" } wrapped => RootOf(wrapped.Instance),
        _ => null,
    };
}
