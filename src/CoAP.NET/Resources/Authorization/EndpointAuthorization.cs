using CoAP.Exchanges;

namespace CoAP.Resources;

/// <summary>The authorizers of an endpoint, and the time that they may take. All lanes of the endpoint share it.</summary>
internal sealed class EndpointAuthorization
{
    private readonly HandlerPipeline _pipeline;

    /// <param name="pipeline">Routes requests, and knows the resources.</param>
    /// <param name="timeout">The longest time that an authorizer may take.</param>
    public EndpointAuthorization(HandlerPipeline pipeline, TimeSpan timeout) => (_pipeline, Timeout) = (pipeline, timeout);

    /// <summary>The authorizers; <see langword="null"/> if no resource needs authorization.</summary>
    public AuthorizerChain? Authorizers => _pipeline.Resources?.Features.Find<AuthorizerChain>();

    /// <summary>The longest time that an authorizer may take.</summary>
    public TimeSpan Timeout { get; }

    /// <summary>Finds the resource of a request, unless an earlier stage has.</summary>
    public void Route(IncomingRequest request) => _pipeline.Route(request);

    /// <summary>Returns whether any authorizer decides about the requests for a resource.</summary>
    public bool Governs(Resource? resource) => Authorizers?.Govern(resource) == true;

    /// <summary>Returns the response to a request whose authorizer has thrown an exception.</summary>
    public CoapResponse ToResponse(Exception exception, IncomingRequest request) =>
        _pipeline.ToResponse(exception, request, static (log, exception, request) => log.AuthorizerFailed(exception, request));
}
