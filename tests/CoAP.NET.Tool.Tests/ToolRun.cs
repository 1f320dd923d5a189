using System.Text;
using CoAP.Tool.Running;

namespace CoAP.Tool.Tests;

/// <summary>One run of the tool inside the test process.</summary>
internal sealed record ToolRun(int ExitCode, string Output, string Error)
{
    /// <summary>Runs a command line with streams that are no terminal.</summary>
    public static Task<ToolRun> OfAsync(params string[] arguments) => WithInputAsync([], arguments);

    /// <summary>Runs a command line with bytes on the standard input.</summary>
    public static async Task<ToolRun> WithInputAsync(byte[] input, params string[] arguments)
    {
        using var bytes = new MemoryStream();
        using var text = new StreamWriter(bytes, new UTF8Encoding(false)) { AutoFlush = true };
        using var error = new StringWriter();
        using var standardInput = new MemoryStream(input);
        var exitCode = await CoapTool.RunAsync(arguments, new Terminal(text, error, bytes, standardInput));
        return new ToolRun(exitCode, Encoding.UTF8.GetString(bytes.ToArray()), error.ToString());
    }

    /// <summary>Runs a command line as on a terminal of 120 columns.</summary>
    public static async Task<ToolRun> OnTerminalAsync(params string[] arguments)
    {
        using var bytes = new MemoryStream();
        using var text = new StreamWriter(bytes, new UTF8Encoding(false)) { AutoFlush = true };
        using var error = new StringWriter();
        var terminal = new Terminal(text, error, bytes, Stream.Null, isOutputInteractive: true, isErrorInteractive: true);
        terminal.Console.Profile.Width = 120;
        var exitCode = await CoapTool.RunAsync(arguments, terminal);
        return new ToolRun(exitCode, Encoding.UTF8.GetString(bytes.ToArray()), error.ToString());
    }
}
