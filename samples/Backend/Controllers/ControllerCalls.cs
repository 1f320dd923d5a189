using CoAP;

namespace Backend;

/// <summary>The requests to controllers. They use the channel that the controller has opened, so they pass its firewall.</summary>
internal sealed partial class ControllerCalls(ILogger<ControllerCalls> logger)
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    /// <summary>Observes the power of a controller that has registered, and sends it the set point that it may have missed.</summary>
    public void Follow(Controller controller)
    {
        var observation = new CancellationTokenSource();
        controller.ReplaceObservation(observation)?.Cancel();
        _ = ObserveAsync(controller, controller.Channel!, observation.Token);
        if (controller.SetPoint is { } setPoint) { _ = SetAsync(controller, setPoint, observation.Token); }
    }

    /// <summary>Sends a set point to a controller.</summary>
    public async Task<SetPointDelivery> SetAsync(Controller controller, SetPoint setPoint, CancellationToken cancellationToken)
    {
        if (controller.Channel is not { } channel) { return new(false, "The controller has not called yet."); }
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        patience.CancelAfter(Patience);
        try
        {
            var response = await channel.PutAsync("/setpoint", setPoint, patience.Token);
            return new(response.IsSuccess, response.IsSuccess ? null : $"The controller answered {response.Code} {response.PayloadText}".TrimEnd());
        }
        catch (CoapException exception) { return new(false, exception.Message); }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            return new(false, $"The controller did not answer within {Patience.TotalSeconds} s.");
        }
    }

    private async Task ObserveAsync(Controller controller, IChannel channel, CancellationToken cancellationToken)
    {
        try
        {
            await foreach (var power in channel.ObserveAsync<Power>("/power", cancellationToken)) { controller.Show(power); }
        }
        catch (OperationCanceledException) { }
        catch (CoapException exception) { LogNotObserved(controller.Id, exception.Message); }
        if (!cancellationToken.IsCancellationRequested) { controller.Show(power: null); }
    }

    [LoggerMessage(10, LogLevel.Debug, "The power of {Controller} is not observed: {Reason}")]
    private partial void LogNotObserved(string controller, string reason);
}
