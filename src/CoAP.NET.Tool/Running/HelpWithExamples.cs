using System.CommandLine;
using System.CommandLine.Invocation;

namespace CoAP.Tool.Running;

/// <summary>Writes the help of a command and its examples.</summary>
internal sealed class HelpWithExamples(SynchronousCommandLineAction help) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        var exitCode = help.Invoke(parseResult);
        if (parseResult.CommandResult.Command is not ToolCommand { Examples.Count: > 0 } command) { return exitCode; }
        var output = parseResult.InvocationConfiguration.Output;
        output.WriteLine("Examples:");
        foreach (var example in command.Examples) { output.WriteLine($"  {example}"); }
        output.WriteLine();
        return exitCode;
    }
}
