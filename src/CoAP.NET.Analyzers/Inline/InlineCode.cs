using Microsoft.CodeAnalysis;

namespace CoAP.Analyzers.Inline;

/// <summary>Code that runs on the lane.</summary>
/// <param name="Body">The body of the lambda expression or of the method.</param>
/// <param name="Role">What it is, for messages.</param>
/// <param name="WayOut">How such code may block; <see langword="null"/> if it must not.</param>
internal sealed record InlineCode(IOperation Body, string Role, string? WayOut)
{
    public const string Buffered = "map the handler with HandlerMode.Buffered";
    public const string Synchronous = "make the handler synchronous, so that it may block";

    public const string Stepwise = "use a step (Use), which may await";

    /// <summary>Whether the code may await something.</summary>
    public bool MayAwait { get; init; } = true;

    public static InlineCode Handler(IOperation body, string wayOut) => new(body, "handler", wayOut);

    public static InlineCode Step(IOperation body) => new(body, "step", null);

    public static InlineCode Authorizer(IOperation body) => new(body, "authorizer", null);

    public static InlineCode Filter(IOperation body) => new(body, "filter", Stepwise) { MayAwait = false };

    public static InlineCode Stage(IOperation body) => new(body, "stage", Stepwise) { MayAwait = false };
}
