using System.CommandLine;
using System.Security.Cryptography;
using CoAP.Tool.Printing;

namespace CoAP.Tool.Running;

/// <summary>A command with examples in its help. Its errors are one line on the error stream.</summary>
internal sealed class ToolCommand : Command
{
    private readonly Terminal _terminal;

    /// <param name="terminal">The streams of the command.</param>
    /// <param name="name">The name.</param>
    /// <param name="description">The first paragraph of the help.</param>
    /// <param name="examples">Complete command lines, each followed by two spaces, "#" and a remark.</param>
    public ToolCommand(Terminal terminal, string name, string description, params IReadOnlyList<string> examples)
        : base(name, description) => (_terminal, Examples) = (terminal, examples);

    /// <summary>The examples of the help.</summary>
    public IReadOnlyList<string> Examples { get; }

    /// <summary>Sets what the command does. The function returns the exit code.</summary>
    public void Runs(Func<ParseResult, CancellationToken, Task<int>> run) => SetAction((arguments, end) => RunAsync(run, arguments, end));

    private async Task<int> RunAsync(Func<ParseResult, CancellationToken, Task<int>> run, ParseResult arguments, CancellationToken end)
    {
        try
        {
            return await run(arguments, end).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (end.IsCancellationRequested)
        {
            return ExitCode.NoAnswer;
        }
        catch (Exception exception) when (IsExpected(exception))
        {
            await _terminal.Error.WriteLineAsync($"coap: {TextOf(exception)}").ConfigureAwait(false);
            return exception is CoapResponseException ? ExitCode.ErrorAnswer : ExitCode.NoAnswer;
        }
    }

    // The name of a parameter says nothing to somebody who has written a command line. What a peer has sent must not control the terminal.
    private static string TextOf(Exception exception)
    {
        var text = exception is ArgumentException { ParamName: { } name } ? exception.Message.Replace($" (Parameter '{name}')", "", StringComparison.Ordinal) : exception.Message;
        return Printable.Of(text.ReplaceLineEndings(" "));
    }

    // What a user or the network can cause. Anything else is a defect and ends the program with its stack trace.
    private static bool IsExpected(Exception exception) => exception
        is CoapException or IOException or UnauthorizedAccessException or TimeoutException or FormatException or ArgumentException
        or NotSupportedException or InvalidOperationException or CryptographicException or System.Net.Sockets.SocketException;
}
