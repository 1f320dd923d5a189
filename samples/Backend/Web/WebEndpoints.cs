using CoAP;

namespace Backend;

/// <summary>What the page asks for over HTTP.</summary>
internal static class WebEndpoints
{
    private const int MostReadings = 600;
    private const string RetryAfterSeconds = "5";

    public static void Map(IEndpointRouteBuilder routes)
    {
        routes.MapGet("/api/live", Watch);
        routes.MapGet("/api/controllers/{id}/readings", async (string id, IReadingStore store, CancellationToken cancellationToken) =>
            TypedResults.Ok(await store.ReadNewestAsync(id, MostReadings, cancellationToken)));
        routes.MapGet("/api/stored", async (StoredCounts counts, CancellationToken cancellationToken) => TypedResults.Ok(await counts.ReadAsync(cancellationToken)));
        routes.MapPut("/api/controllers/{id}/setpoint", SetAsync);
    }

    private static async Task<IResult> SetAsync(string id, SetPoint setPoint, ControllerResources resources, CancellationToken cancellationToken)
    {
        try { return TypedResults.Ok(await resources.SetAsync(id, setPoint, cancellationToken)); }
        catch (CoapResponseException exception) when (exception.Code == ResponseCode.NotFound) { return TypedResults.NotFound(new WebProblem(exception.Message)); }
        catch (CoapResponseException exception) { return TypedResults.BadRequest(new WebProblem(exception.Message)); }
    }

    // "id" names the controllers to watch; without it, they are those that have called most recently.
    private static IResult Watch(HttpContext context, ControllerTable controllers, LiveFeed feed, OpenPages pages, TimeProvider time)
    {
        var asked = context.Request.Query["id"].OfType<string>().ToHashSet(StringComparer.Ordinal);
        if (asked.Count > LiveSelection.Most)
        {
            return TypedResults.BadRequest(new WebProblem($"There are {asked.Count} ids; at most {LiveSelection.Most} are allowed."));
        }
        if (pages.TryOpen(context.Connection.RemoteIpAddress, out var isAddressFull) is not { } page)
        {
            context.Response.Headers.RetryAfter = RetryAfterSeconds;
            return TypedResults.Json(
                new WebProblem("Too many pages are open."), WebContracts.Default.WebProblem,
                statusCode: isAddressFull ? StatusCodes.Status429TooManyRequests : StatusCodes.Status503ServiceUnavailable);
        }
        context.Response.RegisterForDispose(page);
        return TypedResults.ServerSentEvents(feed.WatchAsync(new LiveSelection(controllers, asked, time), context.RequestAborted));
    }
}
