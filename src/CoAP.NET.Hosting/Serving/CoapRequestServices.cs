namespace CoAP.Hosting;

/// <summary>The services of a request, with the scope of the request.</summary>
public static class CoapRequestServices
{
    /// <summary>Returns the services of a request. The scope ends when the response of the handler is complete.</summary>
    /// <exception cref="InvalidOperationException">The server does not run in a host, so the request has no services.</exception>
    public static IServiceProvider Require(IncomingRequest request)
    {
        ArgumentNullException.ThrowIfNull(request);
        throw new InvalidOperationException(
            "The request has no services, because its server was not created by a host. Create the server with AddCoapServer, or set request.Services in a step.");
    }
}
