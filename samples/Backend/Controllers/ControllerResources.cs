using CoAP;

namespace Backend;

/// <summary>The resources of the backend. Controllers use them, and operators.</summary>
internal sealed class ControllerResources(ControllerTable controllers, ReadingPipeline pipeline, ControllerCalls calls, BackendSettings settings)
{
    public const string Controllers = "/controllers/{id}";
    public const string SetPoint = Controllers + "/setpoint";

    private const int MaxReadings = 100;

    private Resource _controllers = null!, _setPoints = null!;

    public void Map(ResourceMap resources)
    {
        _controllers = resources.At(Controllers)
            .Get(request => controllers.TryFind(request["id"], out var one) && one.Latest is { } latest ? Response.Content(latest) : Response.NotFound, HandlerMode.Inline)
            .Post(Register, HandlerMode.Inline)
            .Observable()
            .WithLink(rt: "controller", title: "POST registers a controller, GET returns its latest reading");
        resources.At(Controllers + "/readings")
            .Put((request, _) => StoreAsync(request, [request.Read<Reading>()]))
            .Post((request, _) => StoreAsync(request, request.Read<Reading[]>()))
            .WithLink(rt: "readings", title: "PUT stores one reading, POST stores an array of them");
        _setPoints = resources.At(SetPoint)
            .Get(request => controllers.TryFind(request["id"], out var one) && one.SetPoint is { } setPoint ? Response.Content(setPoint) : Response.NotFound, HandlerMode.Inline)
            .Put(async (request, cancellationToken) =>
            {
                var delivery = await SetAsync(request["id"], request.Read<SetPoint>(), cancellationToken);
                return Response.Of(ResponseCode.Changed, delivery);
            })
            .Observable()
            .WithLink(rt: "setpoint", title: "The power that a controller has to reach");
    }

    /// <summary>Sets the set point of a controller and sends it to the controller.</summary>
    /// <exception cref="CoapResponseException">The set point or the id is not allowed.</exception>
    public async Task<Delivery> SetAsync(string id, SetPoint setPoint, CancellationToken cancellationToken)
    {
        if (!double.IsFinite(setPoint.Watts)) { throw Bad($"The set point is {setPoint.Watts}; it must be a finite number of watts."); }
        var controller = Find(id);
        controller.Set(setPoint);
        _setPoints.NotifyChanged($"controllers/{id}/setpoint");
        return await calls.SetAsync(controller, setPoint, cancellationToken);
    }

    private CoapResponse Register(IncomingRequest request)
    {
        var controller = Find(request["id"]);
        controller.Contact(request);
        calls.Follow(controller);
        return Response.Changed;
    }

    // The answer is sent after the readings are stored. What is not answered with 2.04, the controller sends again.
    private async ValueTask<CoapResponse> StoreAsync(IncomingRequest request, Reading[] readings)
    {
        if (readings.Length is 0 or > MaxReadings) { throw Bad($"There are {readings.Length} readings; 1 to {MaxReadings} are allowed."); }
        foreach (var reading in readings)
        {
            if (reading.FindFault() is { } fault) { throw Bad(fault); }
        }
        var controller = Find(request["id"]);
        controller.Contact(request);
        if (!controller.TryWait(settings.MaxWaitingPerController)) { return Response.TooManyRequests(settings.RetryAfter); }
        var fate = await pipeline.StoreAsync(new Report(controller.Id, readings));
        controller.EndWait();
        if (fate == ReportFate.Unavailable) { return Response.Unavailable(settings.RetryAfter); }
        if (fate == ReportFate.Rejected) { throw Bad("The store rejects the readings."); }
        controller.Show(readings[^1]);
        if (_controllers.ObserverCount > 0) { _controllers.NotifyChanged($"controllers/{controller.Id}"); }
        return Response.Changed;
    }

    private Controller Find(string id)
    {
        if (!ControllerTable.IsId(id)) { throw Bad("An id has 1 to 64 of the characters A to Z, a to z, 0 to 9, '.', '_' and '-'."); }
        return controllers.TryAdd(id, out var controller) ? controller
            : throw new CoapResponseException(ResponseCode.ServiceUnavailable, $"There are {settings.MaxControllers} controllers already.");
    }

    private static CoapResponseException Bad(string reason) => new(ResponseCode.BadRequest, reason);
}
