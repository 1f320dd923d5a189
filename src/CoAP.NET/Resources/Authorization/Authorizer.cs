namespace CoAP;

/// <summary>Decides whether a peer may make a request. See <see cref="ResourceAuthorizationExtensions.Authorize(Resource, Authorizer)"/>.</summary>
/// <param name="request">The request without its body.</param>
/// <param name="cancellationToken">Canceled when the connection of the request ends or the endpoint stops, but not after
/// <see cref="CoapEndpointSettings.AuthorizationTimeout"/>. Limit the time of database calls yourself.</param>
/// <returns>The decision.</returns>
public delegate ValueTask<AuthorizationDecision> Authorizer(RequestHead request, CancellationToken cancellationToken);
