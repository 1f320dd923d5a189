using System.Runtime.InteropServices;
using CoAP;
using ProgramNamespace;

if (args.Contains("--help") || args.Contains("-h"))
{
    Console.WriteLine(Arguments.Usage);
    return ExitCode.Success;
}
if (!Arguments.TryParse(args, out var arguments, out var error))
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(Arguments.Usage);
    return ExitCode.NoResponse;
}

using var stop = new CancellationTokenSource();
using var onInterrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Stop);
using var onTerminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Stop);

await using var client = new CoapClient(new CoapClientSettings { Timeout = arguments.Timeout });
var reader = new ResourceReader(client, Console.Out, Console.Error);
try
{
    return arguments.Observes
        ? await reader.ObserveAsync(arguments.Uri, arguments.Count, stop.Token)
        : await reader.GetAsync(arguments.Uri, stop.Token);
}
catch (OperationCanceledException) when (stop.IsCancellationRequested)
{
    // The usual end of an observation is that the user stops it.
    return arguments.Observes ? ExitCode.Success : ExitCode.NoResponse;
}
catch (Exception exception) when (exception is CoapException or FormatException or ArgumentException or NotSupportedException)
{
    Console.Error.WriteLine(exception.Message);
    return ExitCode.NoResponse;
}

void Stop(PosixSignalContext signal)
{
    signal.Cancel = true;
    stop.Cancel();
}
