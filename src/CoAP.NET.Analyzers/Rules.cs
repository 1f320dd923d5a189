using System.Reflection;
using Microsoft.CodeAnalysis;

namespace CoAP.Analyzers;

/// <summary>What the analyzers report.</summary>
internal static class Rules
{
    private const string Page = "docs/analyzers.md";

    public static readonly DiagnosticDescriptor BlockingCall = Create(201, "A call blocks code that runs on the lane",
        "{0} blocks the lane that runs this {1}, so all other peers of the lane wait. {2}.");

    public static readonly DiagnosticDescriptor DroppedCall = Create(202, "The result of a call is dropped",
        "{0}");

    private static DiagnosticDescriptor Create(int number, string title, string message) => new(
        $"COAP{number}", title, message, "CoAP", DiagnosticSeverity.Warning, isEnabledByDefault: true, helpLinkUri: LinkTo($"coap{number}"));

    // The repository is known only if the build has set its address.
    private static string LinkTo(string section)
    {
        var repository = typeof(Rules).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().FirstOrDefault(one => one.Key == "RepositoryUrl")?.Value;
        return repository is null ? $"{Page}#{section}" : $"{repository.TrimEnd('/')}/blob/main/{Page}#{section}";
    }
}
