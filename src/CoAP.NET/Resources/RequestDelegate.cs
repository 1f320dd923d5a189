namespace CoAP;

/// <summary>Handles a request and returns its response. Asynchronous handlers and steps around all requests have this form.</summary>
/// <param name="request">The request.</param>
/// <param name="cancellationToken">Canceled when the endpoint stops.</param>
public delegate ValueTask<CoapResponse> RequestDelegate(IncomingRequest request, CancellationToken cancellationToken);
