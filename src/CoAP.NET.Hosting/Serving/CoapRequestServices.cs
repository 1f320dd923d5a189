namespace CoAP.Hosting;

/// <summary>The services of a request, with the scope of the request.</summary>
internal static class CoapRequestServices
{
    /// <summary>Returns the services of a request. The scope ends when the steps and the handler have completed.</summary>
    /// <exception cref="InvalidOperationException">The server was not created by a host, or the request has ended.</exception>
    public static IServiceProvider Require(IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        return request.Services ?? throw new InvalidOperationException(
            "The request has no services: it has ended, or its server was not created by AddCoapServer. Use AddCoapServer, or set RequestServices of CoapServerSettings.");
    }
}
