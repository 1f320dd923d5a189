using System.CommandLine;
using CoAP.Tool.Printing;
using CoAP.Tool.Running;

namespace CoAP.Tool.Serving;

/// <summary>The command "coap serve": serves the files of a folder until it is interrupted.</summary>
internal sealed class ServeCommand
{
    private const long DefaultMaxSize = 64L << 20;

    private const string Description = """
        Serve the files of a folder, until Ctrl+C or SIGTERM. Clients get files with GET, follow changes with observe, and list folders and /.well-known/core.
        Names that begin with "." are not served, nor are files with private keys and symbolic links that lead out of the folder. Without --write, clients cannot change anything.
        With --write, everyone who reaches the server can replace and delete files. To restrict access, listen on coaps with --psk.
        """;

    // Short of the time that the command line leaves a command after a signal.
    private static readonly TimeSpan ShutdownTime = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(500);

    private readonly Argument<string> _folder = new("DIR") { Description = "The folder." };
    private readonly EndpointArguments _endpoints = new();

    private readonly Option<bool> _allowsWriting = new("--write")
    {
        Description = "Let clients create and replace files (PUT) and delete them (DELETE).",
    };

    private readonly Option<long?> _maxSize = new("--max-size")
    {
        HelpName = "BYTES",
        Description = "The largest file that clients may write, such as 500K, 10M or 2G. Default: 64M.",
        CustomParser = SizeArgument.Parse,
    };

    private readonly Option<bool> _isVerbose = new("--verbose", "-v") { Description = "Log the options of requests and responses as well." };

    public static Command Create(Terminal terminal)
    {
        var arguments = new ServeCommand();
        var command = new ToolCommand(
            terminal,
            "serve",
            Description,
            "coap serve public                                  # on coap://localhost:5683",
            "coap serve public --listen coap://*:5683 --listen coap+tcp://*:5683",
            "coap serve inbox --write --listen coaps://*:5684 --psk pump-7:0x00112233445566778899aabbccddeeff",
            "coap serve public --listen coaps+tcp://*:5684 --cert localhost.pem --key localhost.key");
        command.Add(arguments._folder);
        arguments._endpoints.AddTo(command);
        foreach (Option option in new Option[] { arguments._allowsWriting, arguments._maxSize, arguments._isVerbose }) { command.Add(option); }
        command.Validators.Add(result =>
        {
            if (result.GetResult(arguments._maxSize) is not null && !result.GetValue(arguments._allowsWriting)) { result.AddError("--max-size needs --write."); }
        });
        command.Runs((parsed, end) => arguments.RunAsync(terminal, parsed, end));
        return command;
    }

    private async Task<int> RunAsync(Terminal terminal, ParseResult arguments, CancellationToken end)
    {
        var folder = new ServedFolder(arguments.GetRequiredValue(_folder));
        long? maxUpload = arguments.GetValue(_allowsWriting) ? arguments.GetValue(_maxSize) ?? DefaultMaxSize : null;
        var settings = _endpoints.ToSettings(arguments) with { ShutdownTimeout = ShutdownTime };
        var transfers = settings.ServerTransfers;
        settings = settings with { ServerTransfers = transfers with { MaxStreamedSize = Math.Max(maxUpload ?? 0, transfers.MaxStreamedSize) } };
        var log = new RequestLog(terminal.Error, TimeProvider.System, arguments.GetValue(_isVerbose));
        await using (log.ConfigureAwait(false))
        {
            var server = new CoapServer(settings).Use(log.Around, dependsOnPeer: false);
            await using (server.ConfigureAwait(false))
            {
                var files = new FileServer(folder, new WatchedFiles(TimeProvider.System), TimeProvider.System);
                files.Map(server.Resources, maxUpload);
                server.Start();
                Announce(terminal, server, folder, maxUpload);
                var polling = PollAsync(files, end);
                await server.RunAsync(end).ConfigureAwait(false);
                await polling.ConfigureAwait(false);
            }
        }
        return ExitCode.Success;
    }

    private static void Announce(Terminal terminal, CoapServer server, ServedFolder folder, long? maxUpload)
    {
        foreach (var endpoint in server.Endpoints) { terminal.Out.WriteLine($"listening {endpoint}"); }
        var access = maxUpload is { } size ? $"read and write, up to {ByteCount.Of(size)} per file" : "read only";
        terminal.Out.WriteLine($"serving {folder.Root} ({access})");
    }

    private static async Task PollAsync(FileServer files, CancellationToken end)
    {
        using var timer = new PeriodicTimer(PollInterval);
        try
        {
            while (await timer.WaitForNextTickAsync(end).ConfigureAwait(false)) { files.NotifyChanges(); }
        }
        catch (OperationCanceledException)
        {
            // The server ends.
        }
    }
}
