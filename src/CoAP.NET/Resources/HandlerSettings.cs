using CoAP.Vocabulary;

namespace CoAP.Resources;

/// <summary>The settings of handlers.</summary>
/// <param name="Threads">The most threads of buffered handlers.</param>
/// <param name="MaxQueue">The most requests that buffered handlers process or that wait for a thread.</param>
/// <param name="MaxInlinePayload">The largest payload of an inline handler in bytes.</param>
/// <param name="Log">The log of the endpoint.</param>
internal sealed record HandlerSettings(int Threads, int MaxQueue, int MaxInlinePayload, EndpointLog Log);
