using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>Catches the exceptions of the user's logger, because a request or a lane must not fail if a log line cannot be written.</summary>
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
