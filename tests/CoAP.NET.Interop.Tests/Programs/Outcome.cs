namespace CoAP.Interop.Tests.Programs;

/// <summary>How a program ended and what it wrote.</summary>
internal sealed record Outcome(string Command, int ExitCode, IReadOnlyList<string> Output, IReadOnlyList<string> Errors)
{
    public string Text => string.Join('\n', Output);

    public override string ToString() =>
        $"{Command}\nexit code {ExitCode}\n{string.Concat(Output.Select(line => $"  {line}\n"))}{string.Concat(Errors.Select(line => $"! {line}\n"))}";
}
