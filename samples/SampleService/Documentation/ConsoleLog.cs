using CoAP;
using Microsoft.Extensions.Logging;

namespace SampleService.Documentation;

/// <summary>A log outside of a host, as the page "The log" shows it.</summary>
internal static class ConsoleLog
{
    public static async Task RunAsync(CancellationToken cancellationToken)
    {
        using var loggers = LoggerFactory.Create(logging => logging.AddConsole().SetMinimumLevel(LogLevel.Debug));
        await using var server = new CoapServer(new CoapServerSettings { LoggerFactory = loggers });
        await server.RunAsync(cancellationToken);
    }
}
