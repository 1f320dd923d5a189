using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Mesh;

/// <summary>What a capture logs.</summary>
internal static partial class CaptureLog
{
    [LoggerMessage((int)LogEvent.CaptureFailed, LogLevel.Error, "The capture to {Output} has ended, because it cannot be written. The endpoint continues without it.")]
    public static partial void CaptureFailed(ILogger logger, Exception exception, string output);
}
