namespace CoAP;

/// <summary>Answers a request; the form of asynchronous handlers and of steps around all requests.</summary>
/// <param name="request">The request.</param>
/// <param name="cancellationToken">Fires when the server stops.</param>
public delegate ValueTask<CoapResponse> RequestDelegate(IncomingRequest request, CancellationToken cancellationToken);
