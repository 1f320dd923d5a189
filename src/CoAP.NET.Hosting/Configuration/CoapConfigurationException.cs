namespace CoAP.Hosting;

/// <summary>Thrown if a configuration has unknown keys or wrong values. Lists all of them, each with the full path of its key.</summary>
public sealed class CoapConfigurationException : InvalidOperationException
{
    internal CoapConfigurationException(IReadOnlyList<string> problems)
        : base(problems is [var problem]
            ? $"The configuration of CoAP is wrong: {problem}"
            : $"The configuration of CoAP has {problems.Count} errors:{string.Concat(problems.Select(static problem => $"{Environment.NewLine}- {problem}"))}") =>
        Problems = problems;

    /// <summary>The errors: the key, its value, and what to write instead.</summary>
    public IReadOnlyList<string> Problems { get; }
}
