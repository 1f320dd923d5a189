namespace Backend;

/// <summary>Refuses what the pages of other sites ask for. The backend has no login, and a browser on this machine reaches it for any page.</summary>
internal static class SameOrigin
{
    /// <summary>A step of the web application.</summary>
    public static Task RequireAsync(HttpContext context, RequestDelegate next)
    {
        if (!context.Request.Path.StartsWithSegments("/api") || IsOwn(context.Request)) { return next(context); }
        context.Response.StatusCode = StatusCodes.Status403Forbidden;
        return context.Response.WriteAsJsonAsync(new WebProblem("Pages of other sites may not use the backend."), WebContracts.Default.WebProblem);
    }

    // Pages cannot change these fields. Programs that are not browsers send neither.
    private static bool IsOwn(HttpRequest request)
    {
        if (request.Headers["Sec-Fetch-Site"] is { Count: > 0 } site) { return site is ["same-origin"] or ["none"]; }
        if (request.Headers.Origin is not { Count: > 0 } origin) { return true; }
        return origin.Count == 1 && Uri.TryCreate(origin, UriKind.Absolute, out var uri)
            && string.Equals(uri.Authority, request.Host.Value, StringComparison.OrdinalIgnoreCase);
    }
}
