using System.Buffers;
using System.CommandLine;
using System.CommandLine.Help;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using CoAP.Tool.Benchmarking;
using CoAP.Tool.Discovering;
using CoAP.Tool.Keys;
using CoAP.Tool.Observing;
using CoAP.Tool.Pinging;
using CoAP.Tool.Requests;
using CoAP.Tool.Running;
using CoAP.Tool.Serving;

namespace CoAP.Tool;

/// <summary>The command line "coap".</summary>
internal static class CoapTool
{
    private const string Description = """
        A client, load generator and file server for CoAP (RFC 7252) over UDP, DTLS, TCP, TLS and WebSockets.
        The scheme of the URI selects the transport: coap, coaps, coap+tcp, coaps+tcp, coap+ws, coaps+ws. Without a scheme, "coap" is assumed.
        Exit codes: 0 success, 1 the server answered with an error, 2 no answer or wrong arguments.
        """;

    private const int LongestName = 20;

    private static readonly SearchValues<char> NameCharacters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-");

    // "@name" is a payload like any other, not the name of a file with more arguments.
    internal static ParserConfiguration Parsing { get; } = new() { ResponseFileTokenReplacer = null };

    public static async Task<int> RunAsync(IReadOnlyList<string> arguments, Terminal terminal, CancellationToken cancellationToken = default)
    {
        try
        {
            return await RunParsedAsync(arguments, terminal, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException)
        {
            // The output or the error stream is full or closed, so there is nobody to tell.
            return ExitCode.NoAnswer;
        }
    }

    private static async Task<int> RunParsedAsync(IReadOnlyList<string> arguments, Terminal terminal, CancellationToken cancellationToken)
    {
        var parsed = CreateRoot(terminal).Parse(arguments, Parsing);
        var configuration = new InvocationConfiguration { Output = terminal.Out, Error = terminal.Error, EnableDefaultExceptionHandler = false };
        if (parsed.Action is not ParseErrorAction) { return await parsed.InvokeAsync(configuration, cancellationToken).ConfigureAwait(false); }
        await terminal.Error.WriteLineAsync($"coap: {Explain(parsed)}").ConfigureAwait(false);
        await terminal.Error.WriteLineAsync($"Run \"{PathOf(parsed)} --help\" for help.").ConfigureAwait(false);
        return ExitCode.NoAnswer;
    }

    // One mistake often makes the words after it look wrong, too, so only the first error is named.
    private static string Explain(ParseResult parsed)
    {
        if (parsed.CommandResult.Command.Subcommands is { Count: > 0 } commands)
        {
            var known = $"The commands are {string.Join(", ", commands.Select(static command => command.Name))}.";
            return parsed.UnmatchedTokens is [var word, ..]
                ? $"There is no command{NameOf(word)}. {known}"
                : $"A command is missing. {known}";
        }
        if (parsed.UnmatchedTokens is [var unknown, ..] && parsed.Errors[0].Message.Contains(unknown, StringComparison.Ordinal))
        {
            return unknown.StartsWith('-') && NameOf(unknown) is { Length: > 0 } name
                ? $"There is no option{name}."
                : "There is one argument too many. It is not shown, because it may be a key; perhaps the name of its option is missing.";
        }
        var lines = parsed.Errors[0].Message.Split('\n', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        return string.Join(' ', lines);
    }

    // What is not a plain word may be a key whose option is missing or misspelled.
    private static string NameOf(string word)
    {
        var name = word.StartsWith('-') && word.AsSpan().IndexOfAny('=', ':') is > 0 and var end ? word[..end] : word;
        var isPlain = name.Length <= LongestName && !name.AsSpan().ContainsAnyExcept(NameCharacters);
        return isPlain ? $" '{name}'" : "";
    }

    internal static RootCommand CreateRoot(Terminal terminal)
    {
        var root = new RootCommand(Description);
        foreach (var method in RequestMethod.All) { root.Add(RequestCommand.Create(terminal, method)); }
        root.Add(ObserveCommand.Create(terminal));
        root.Add(DiscoverCommand.Create(terminal));
        root.Add(PingCommand.Create(terminal));
        root.Add(ServeCommand.Create(terminal));
        root.Add(BenchCommand.Create(terminal));
        root.Add(KeygenCommand.Create(terminal));
        root.Add(CompletionCommand.Create(terminal));
        var help = root.Options.OfType<HelpOption>().Single();
        help.Action = new HelpWithExamples((SynchronousCommandLineAction)help.Action!);
        return root;
    }

    // "coap", "coap get" or "coap keygen psk".
    private static string PathOf(ParseResult parsed)
    {
        var names = new Stack<string>();
        for (SymbolResult? symbol = parsed.CommandResult; symbol is CommandResult { Command: not RootCommand } result; symbol = result.Parent)
        {
            names.Push(result.Command.Name);
        }
        return string.Join(' ', ["coap", .. names]);
    }
}
