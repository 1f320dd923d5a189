using Microsoft.Extensions.Logging;

namespace CoAP.Resources;

/// <summary>The settings of handlers.</summary>
/// <param name="MaxInlinePayload">The largest payload of an inline handler in bytes.</param>
/// <param name="Logger">The logger for handlers that fail.</param>
internal sealed record HandlerSettings(int MaxInlinePayload, ILogger Logger);
