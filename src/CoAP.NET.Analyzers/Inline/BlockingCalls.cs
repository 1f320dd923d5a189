using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Operations;

namespace CoAP.Analyzers.Inline;

/// <summary>Finds the calls that block in code, and in the local functions that it calls. Functions that it passes on may run elsewhere.</summary>
internal sealed class BlockingCalls(LibraryTypes types, Compilation compilation)
{
    // The calls of .NET that always wait, and what awaits instead.
    private static readonly Dictionary<string, string?> Waits = new()
    {
        ["System.Threading.Thread.Sleep"] = "Task.Delay",
        ["System.Threading.Thread.Join"] = null,
        ["System.Threading.WaitHandle.WaitOne"] = null,
        ["System.Threading.WaitHandle.WaitAll"] = null,
        ["System.Threading.WaitHandle.WaitAny"] = null,
        ["System.Threading.ManualResetEventSlim.Wait"] = null,
        ["System.Threading.CountdownEvent.Wait"] = null,
        ["System.Threading.SemaphoreSlim.Wait"] = "SemaphoreSlim.WaitAsync",
        ["System.Threading.Tasks.Task.WaitAll"] = "Task.WhenAll",
        ["System.Threading.Tasks.Task.WaitAny"] = "Task.WhenAny",
        ["System.Diagnostics.Process.WaitForExit"] = "Process.WaitForExitAsync",
        ["System.Net.Http.HttpClient.Send"] = "HttpClient.SendAsync",
    };

    private static readonly HashSet<string> FileCalls =
    [
        "ReadAllText", "ReadAllBytes", "ReadAllLines", "WriteAllText", "WriteAllBytes", "WriteAllLines", "AppendAllText", "AppendAllBytes", "AppendAllLines",
    ];

    // A stream of another type may be in memory.
    private static readonly HashSet<string> SlowStreams =
    [
        "System.IO.FileStream", "System.Net.Sockets.NetworkStream", "System.Net.Security.SslStream", "System.IO.Pipes.NamedPipeClientStream",
        "System.IO.Pipes.NamedPipeServerStream",
    ];

    private static readonly HashSet<string> StreamCalls = ["Read", "ReadExactly", "ReadAtLeast", "Write", "CopyTo"];

    private readonly Functions _functions = new(compilation);

    public IEnumerable<BlockingCall> In(InlineCode code)
    {
        var seen = new HashSet<ISymbol>(SymbolEqualityComparer.Default);
        var left = new Queue<IOperation>([code.Body]);
        while (left.Count > 0)
        {
            var body = left.Dequeue();
            var completed = new CompletedTasks(body);
            foreach (var operation in Functions.Of(body))
            {
                if (Describe(operation, completed) is { } call) { yield return call; }
                if (operation is IInvocationOperation { TargetMethod: { MethodKind: MethodKind.LocalFunction } function }
                    && seen.Add(function) && _functions.BodyOf(function) is { } inner)
                {
                    left.Enqueue(inner);
                }
            }
        }
    }

    private BlockingCall? Describe(IOperation operation, CompletedTasks completed) => operation switch
    {
        IPropertyReferenceOperation { Property.Name: "Result", Instance: { } task } when IsTask(task) =>
            completed.Contains(task) ? null : Found(operation, $"'{task.Type!.Name}.Result'", "the task"),
        IInvocationOperation call => DescribeWait(call, completed) ?? DescribeInput(call) ?? DescribeRequest(call),
        _ => null,
    };

    private static BlockingCall? DescribeWait(IInvocationOperation call, CompletedTasks completed)
    {
        if (HasNoTime(call)) { return null; }
        if (call is { TargetMethod: { Name: "Wait" }, Instance: { } task } && IsTask(task))
        {
            return completed.Contains(task) ? null : Found(call, "'Task.Wait'", "the task");
        }
        if (call is { TargetMethod.Name: "GetResult", Instance: IInvocationOperation { TargetMethod.Name: "GetAwaiter", Instance: { } awaited } })
        {
            var isTask = IsTask(awaited) || awaited is IInvocationOperation { TargetMethod.Name: "ConfigureAwait" };
            return !isTask || completed.Contains(awaited) ? null : Found(call, "'GetAwaiter().GetResult()'", "the task");
        }
        return Waits.TryGetValue(NameOf(call), out var twin) ? Found(call, $"'{ShortNameOf(call)}'", twin) : null;
    }

    private static BlockingCall? DescribeInput(IInvocationOperation call)
    {
        var (type, name) = (call.TargetMethod.ContainingType, call.TargetMethod.Name);
        var isFile = FileCalls.Contains(name) && type.ToDisplayString() == "System.IO.File";
        var isStream = StreamCalls.Contains(name) && call.Instance?.Type is { } stream && SlowStreams.Contains(stream.ToDisplayString());
        return isFile || isStream ? Found(call, $"'{ShortNameOf(call)}'", $"{name}Async") : null;
    }

    // A call of the library that has an asynchronous twin waits for a peer, or for lanes.
    private BlockingCall? DescribeRequest(IInvocationOperation call)
    {
        var method = call.TargetMethod.ReducedFrom ?? call.TargetMethod;
        if (!LibraryTypes.IsOfLibrary(method) || method.Name == nameof(IDisposable.Dispose)) { return null; }
        var target = call.Instance?.Type ?? (method.IsExtensionMethod ? call.Arguments.FirstOrDefault()?.Value.Type : null);
        if (!LibraryTypes.Is(target, types.Sender) && !LibraryTypes.Is(target, types.Server) && !IsSenderInterface(method)) { return null; }
        return method.ContainingType.GetMembers(method.Name + "Async").IsEmpty ? null : Found(call, $"'{method.Name}'", $"{method.Name}Async");
    }

    private bool IsSenderInterface(IMethodSymbol method) =>
        method.IsExtensionMethod && LibraryTypes.Is(method.Parameters[0].Type, types.Sender);

    private static bool IsTask(IOperation operation) => operation.Type is { } type && LibraryTypes.IsTask(type);

    // With a timeout of zero, a call does not wait.
    private static bool HasNoTime(IInvocationOperation call) => call.Arguments.Any(argument => argument.Value switch
    {
        { ConstantValue: { HasValue: true, Value: 0 } } => true,
        IFieldReferenceOperation { Field: { Name: "Zero", ContainingType.Name: "TimeSpan" } } => true,
        _ => false,
    });

    private static BlockingCall Found(IOperation operation, string name, string? twin) => new(operation.Syntax.GetLocation(), name, twin);

    private static string NameOf(IInvocationOperation call) => $"{call.TargetMethod.ContainingType.ToDisplayString()}.{call.TargetMethod.Name}";

    private static string ShortNameOf(IInvocationOperation call) => $"{call.TargetMethod.ContainingType.Name}.{call.TargetMethod.Name}";
}
