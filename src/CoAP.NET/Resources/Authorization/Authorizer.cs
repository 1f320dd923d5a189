namespace CoAP;

/// <summary>Decides whether a peer may make a request. See <see cref="ResourceAuthorizationExtensions.Authorize(Resource, Authorizer)"/>.</summary>
/// <param name="request">The request without its body.</param>
/// <param name="cancellationToken">Canceled when the connection of the request has ended, or the endpoint stops.</param>
/// <returns>The decision.</returns>
public delegate ValueTask<AuthorizationDecision> Authorizer(RequestHead request, CancellationToken cancellationToken);
