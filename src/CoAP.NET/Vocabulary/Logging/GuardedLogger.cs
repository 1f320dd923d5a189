using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>The user's logger. Its exceptions end here, because a request or a lane must not fail when its log line cannot be written.</summary>
internal sealed class GuardedLogger(ILogger logger) : ILogger
{
    private readonly ILogger _logger = logger;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull
    {
        try { return _logger.BeginScope(state); }
        catch (Exception) // The edge to user code.
        {
            return null;
        }
    }

    public bool IsEnabled(LogLevel logLevel)
    {
        try { return _logger.IsEnabled(logLevel); }
        catch (Exception) // The edge to user code.
        {
            return false;
        }
    }

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try { _logger.Log(logLevel, eventId, state, exception, formatter); }
        catch (Exception) // The edge to user code.
        {
        }
    }
}
