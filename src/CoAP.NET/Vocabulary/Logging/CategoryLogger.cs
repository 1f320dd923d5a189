using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>
/// Writes each message to the user's logger of its category. Catches the exceptions of these loggers, because a request or a lane must not fail if a log
/// line cannot be written.
/// </summary>
internal sealed class CategoryLogger : ILogger
{
    private readonly ILogger[] _loggers;      // in the order of LogCategories.All

    /// <param name="factory">The user's loggers.</param>
    public CategoryLogger(ILoggerFactory factory)
    {
        _loggers = [.. LogCategories.All.Select(factory.CreateLogger)];
        WritesOnlyErrors = factory is StandardErrorLog;
    }

    /// <summary>Whether no level below <see cref="LogLevel.Error"/> is ever written.</summary>
    public bool WritesOnlyErrors { get; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel)
    {
        foreach (var logger in _loggers)
        {
            if (IsEnabled(logger, logLevel)) { return true; }
        }
        return false;
    }

    /// <summary>Returns whether the messages of one category are written.</summary>
    /// <param name="logLevel">The level.</param>
    /// <param name="category">The place of the category in <see cref="LogCategories.All"/>.</param>
    public bool IsEnabled(LogLevel logLevel, int category) => IsEnabled(_loggers[category], logLevel);

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try { _loggers[LogCategories.PlaceOf(eventId.Id)].Log(logLevel, eventId, state, exception, formatter); }
        catch (Exception) // The edge to user code.
        {
        }
    }

    private static bool IsEnabled(ILogger logger, LogLevel logLevel)
    {
        try { return logger.IsEnabled(logLevel); }
        catch (Exception) // The edge to user code.
        {
            return false;
        }
    }
}
