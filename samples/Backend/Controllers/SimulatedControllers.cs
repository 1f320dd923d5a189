using CoAP;

namespace Backend;

/// <summary>Controllers for trying out. Each reports once a second, and follows its set point.</summary>
internal sealed partial class SimulatedControllers(CoapServer server, BackendSettings settings, ILogger<SimulatedControllers> logger) : BackgroundService
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    protected override Task ExecuteAsync(CancellationToken stoppingToken) =>
        Task.WhenAll(Enumerable.Range(1, settings.Simulate).Select(number => RunAsync($"controller-{number}", stoppingToken)));

    private async Task RunAsync(string id, CancellationToken cancellationToken)
    {
        var (watts, setPoint) = (500 + (Random.Shared.NextDouble() * 2000), (double?)null);
        await using var client = new CoapClient(new CoapClientSettings { Formats = Payloads.Formats });
        client.Resources.At("setpoint").Put(request =>
        {
            setPoint = request.Read<SetPoint>().Watts;
            return Response.Changed;
        });
        var power = client.Resources.At("power").Get(_ => Response.Content(new Power(watts))).Observable();

        var uri = $"coap://{server.Endpoints[0].Address}/controllers/{id}";
        var sequence = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds();       // higher than before a restart
        using var timer = new PeriodicTimer(Period);
        try
        {
            (await client.PostAsync(uri, "", cancellationToken)).EnsureSuccess();
            while (await timer.WaitForNextTickAsync(cancellationToken))
            {
                watts += ((setPoint ?? watts) - watts) / 4 + ((Random.Shared.NextDouble() - 0.5) * 40);
                power.NotifyChanged();
                await ReportAsync(client, uri, new Reading(++sequence, DateTimeOffset.UtcNow, Math.Round(watts, 1)), cancellationToken);
            }
        }
        catch (OperationCanceledException) { }
        catch (CoapException exception) { LogEnded(id, exception.Message); }
    }

    // Sends the reading until it is stored.
    private static async Task ReportAsync(CoapClient client, string uri, Reading reading, CancellationToken cancellationToken)
    {
        while (!(await client.PutAsync($"{uri}/readings", reading, cancellationToken)).IsSuccess) { await Task.Delay(Period, cancellationToken); }
    }

    [LoggerMessage(20, LogLevel.Warning, "The simulated {Controller} ended: {Reason}")]
    private partial void LogEnded(string controller, string reason);
}
