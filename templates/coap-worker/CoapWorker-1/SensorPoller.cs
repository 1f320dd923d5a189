using CoAP;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace ProgramNamespace;

/// <summary>Reads a sensor periodically. A device that does not answer does not end the service.</summary>
public sealed partial class SensorPoller(
    SensorClient sensors, LatestReading latest, IOptions<PollerSettings> settings, TimeProvider time, ILogger<SensorPoller> logger) : BackgroundService
{
    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        while (true)
        {
            await PollAsync(settings.Value.Sensor, stoppingToken);
            await Task.Delay(settings.Value.Period, time, stoppingToken);
        }
    }

    private async Task PollAsync(int sensor, CancellationToken cancellationToken)
    {
        try
        {
            var reading = await sensors.ReadAsync(sensor, cancellationToken);
            latest.Value = reading;
            LogReading(sensor, reading.Celsius);
        }
        catch (CoapException exception)
        {
            LogFailure(sensor, exception.Message);
        }
    }

    [LoggerMessage(1, LogLevel.Information, "Sensor {Sensor}: {Celsius} °C")]
    private partial void LogReading(int sensor, double celsius);

    [LoggerMessage(2, LogLevel.Warning, "Sensor {Sensor} was not read: {Reason}")]
    private partial void LogFailure(int sensor, string reason);
}
