using CoAP;

namespace Backend;

/// <summary>The resources of the backend. Controllers use them, and operators.</summary>
internal sealed class ControllerResources(ControllerTable controllers, ReadingPipeline pipeline, ControllerCalls calls, BackendSettings settings)
{
    public const string Controllers = "/controllers/{id}";
    public const string SetPoint = Controllers + "/setpoint";

    private const int MaxReadings = 100;

    private Resource _controllers = null!, _setPoints = null!;

    public void Map(IHost host)
    {
        host.MapCoapPut(Controllers + "/readings", (string id, Reading reading, IncomingRequest request) => StoreAsync(id, [reading], request))
            .WithLink(rt: "readings", title: "PUT stores one reading, POST stores an array of them");
        host.MapCoapPost(Controllers + "/readings", (string id, Reading[] readings, IncomingRequest request) => StoreAsync(id, readings, request));
        _controllers = host.MapCoapGet(Controllers, (string id) => controllers.TryFind(id, out var one) ? one.Latest : null)
            .Observable()
            .WithLink(rt: "controller", title: "POST registers a controller, GET returns its latest reading");
        host.MapCoapPost(Controllers, Register);
        _setPoints = host.MapCoapGet(SetPoint, (string id) => controllers.TryFind(id, out var one) ? one.SetPoint : null)
            .Observable()
            .WithLink(rt: "setpoint", title: "The power that a controller has to reach");
        host.MapCoapPut(SetPoint, SetAsync);
    }

    /// <summary>Sets the set point of a controller and sends it to the controller.</summary>
    /// <exception cref="CoapResponseException">The set point is not allowed, or the controller has not called.</exception>
    public async Task<SetPointDelivery> SetAsync(string id, SetPoint setPoint, CancellationToken cancellationToken)
    {
        if (!(Math.Abs(setPoint.Watts) <= Reading.MaxWatts))
        {
            throw Bad($"The set point is {setPoint.Watts}; it must be between -{Reading.MaxWatts} and {Reading.MaxWatts} watts.");
        }
        if (!controllers.TryFind(id, out var controller)) { throw new CoapResponseException(ResponseCode.NotFound, "This controller has not called."); }
        controller.Set(setPoint);
        _setPoints.NotifyChanged($"controllers/{id}/setpoint");
        return await calls.SetAsync(controller, setPoint, cancellationToken);
    }

    private CoapResponse Register(string id, IncomingRequest request)
    {
        var controller = Contact(id, request);
        calls.Follow(controller);
        return Response.Changed;
    }

    // The answer is sent after the readings are stored. What is not answered with 2.04, the controller sends again.
    private async ValueTask<CoapResponse> StoreAsync(string id, Reading[] readings, IncomingRequest request)
    {
        if (readings.Length is 0 or > MaxReadings) { throw Bad($"There are {readings.Length} readings; 1 to {MaxReadings} are allowed."); }
        foreach (var reading in readings)
        {
            if (reading.FindFault() is { } fault) { throw Bad(fault); }
        }
        var controller = Contact(id, request);
        if (!controller.TryWait(settings.MaxWaitingPerController)) { return Response.TooManyRequests(settings.RetryAfter); }
        ReportFate fate;
        try { fate = await pipeline.StoreAsync(new Report(controller.Id, readings)); }
        finally { controller.EndWait(); }
        if (fate == ReportFate.Unavailable) { return Response.Unavailable(settings.RetryAfter); }
        if (fate == ReportFate.Rejected) { throw Bad("The store rejects the readings."); }
        controller.Show(readings[^1]);
        if (_controllers.ObserverCount > 0) { _controllers.NotifyChanged($"controllers/{controller.Id}"); }
        return Response.Changed;
    }

    private Controller Contact(string id, IncomingRequest request)
    {
        if (!ControllerTable.IsId(id)) { throw Bad("An id has 1 to 64 of the characters A to Z, a to z, 0 to 9, '.', '_' and '-'."); }
        if (!controllers.TryAdd(id, request.Credentials?.Identity ?? "", out var controller))
        {
            throw new CoapResponseException(
                ResponseCode.ServiceUnavailable,
                $"There are too many controllers. At most {settings.MaxControllers} are allowed, and {settings.MaxControllersPerIdentity} of one identity.");
        }
        controller.Reach(request);
        return controller;
    }

    private static CoapResponseException Bad(string reason) => new(ResponseCode.BadRequest, reason);
}
