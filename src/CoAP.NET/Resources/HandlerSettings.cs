using Microsoft.Extensions.Logging;

namespace CoAP.Resources;

/// <summary>The settings of handlers.</summary>
/// <param name="Threads">The buffered handlers that run at the same time.</param>
/// <param name="MaxQueue">The requests that may wait for a buffered handler.</param>
/// <param name="BufferedSize">The size of a payload, in bytes, from which on its handler is buffered.</param>
/// <param name="Logger">For handlers that fail.</param>
internal sealed record HandlerSettings(int Threads, int MaxQueue, int BufferedSize, ILogger Logger);
