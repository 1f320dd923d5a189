using CoAP;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace SampleWorker;

/// <summary>Reads a sensor every ten seconds. A device that does not answer does not end the service.</summary>
internal sealed partial class Poller(Sensors sensors, ILogger<Poller> logger) : BackgroundService
{
    private const int Sensor = 7;

    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(TimeSpan.FromSeconds(10));
        do
        {
            try { Read(logger, Sensor, await sensors.ReadAsync(Sensor, stoppingToken)); }
            catch (CoapException exception) { NotRead(logger, Sensor, exception.Message); }
        }
        while (await timer.WaitForNextTickAsync(stoppingToken));
    }

    [LoggerMessage(1, LogLevel.Information, "Sensor {Sensor}: {Reading}")]
    private static partial void Read(ILogger logger, int sensor, string reading);

    [LoggerMessage(2, LogLevel.Warning, "Sensor {Sensor} was not read: {Reason}")]
    private static partial void NotRead(ILogger logger, int sensor, string reason);
}
