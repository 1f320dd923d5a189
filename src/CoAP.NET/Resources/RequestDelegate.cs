namespace CoAP;

/// <summary>Handles a request and returns its response. Asynchronous handlers and steps around all requests have this form.</summary>
/// <param name="request">The request.</param>
/// <param name="cancellationToken">Canceled when the connection or the DTLS session of the request ends, or when the endpoint stops and
/// <see cref="CoapEndpointSettings.ShutdownTimeout"/> has passed.</param>
public delegate ValueTask<CoapResponse> RequestDelegate(IncomingRequest request, CancellationToken cancellationToken);
