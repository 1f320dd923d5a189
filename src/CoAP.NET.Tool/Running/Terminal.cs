using Spectre.Console;

namespace CoAP.Tool.Running;

/// <summary>Where a command reads and writes. What a script may want goes to the output; everything else goes to the error stream.</summary>
internal sealed class Terminal
{
    // A program that reads the output wants whole lines.
    private const int WidthWithoutTerminal = 10_000;

    public Terminal(TextWriter output, TextWriter error, Stream outputStream, Stream input, bool isOutputInteractive = false, bool isErrorInteractive = false)
    {
        (Out, Error, OutputStream, Input) = (TextWriter.Synchronized(output), TextWriter.Synchronized(error), outputStream, input);
        (IsOutputInteractive, IsErrorInteractive) = (isOutputInteractive, isErrorInteractive);
        (Console, ErrorConsole) = (ConsoleFor(Out, isOutputInteractive), ConsoleFor(Error, isErrorInteractive));
    }

    /// <summary>The standard output as text.</summary>
    public TextWriter Out { get; }

    /// <summary>The standard error.</summary>
    public TextWriter Error { get; }

    /// <summary>The standard output as bytes, for payloads.</summary>
    public Stream OutputStream { get; }

    /// <summary>The standard input.</summary>
    public Stream Input { get; }

    /// <summary>The standard output with tables and, on a terminal, colors.</summary>
    public IAnsiConsole Console { get; }

    /// <summary>The standard error with, on a terminal, colors.</summary>
    public IAnsiConsole ErrorConsole { get; }

    /// <summary>Whether a person reads the output. If not, payloads are written as they are.</summary>
    public bool IsOutputInteractive { get; }

    /// <summary>Whether a person reads the error stream. If not, no progress is shown.</summary>
    public bool IsErrorInteractive { get; }

    /// <summary>The streams of the process.</summary>
    public static Terminal OfProcess() => new(
        System.Console.Out,
        System.Console.Error,
        System.Console.OpenStandardOutput(),
        System.Console.OpenStandardInput(),
        !System.Console.IsOutputRedirected && CanMoveCursor,
        !System.Console.IsErrorRedirected && CanMoveCursor);

    private static bool CanMoveCursor => Environment.GetEnvironmentVariable("TERM") != "dumb";

    private static IAnsiConsole ConsoleFor(TextWriter writer, bool isInteractive)
    {
        var hasColors = isInteractive && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"));
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(writer),
            Ansi = isInteractive ? AnsiSupport.Yes : AnsiSupport.No,
            ColorSystem = hasColors ? ColorSystemSupport.Standard : ColorSystemSupport.NoColors,
            Interactive = isInteractive ? InteractionSupport.Yes : InteractionSupport.No,
        });
        if (!isInteractive) { console.Profile.Width = WidthWithoutTerminal; }
        return console;
    }
}
