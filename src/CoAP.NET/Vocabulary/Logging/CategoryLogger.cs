using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>
/// Writes each message to the user's logger of its category. Catches the exceptions of these loggers, because a request or a lane must not fail if a log
/// line cannot be written.
/// </summary>
internal sealed class CategoryLogger : ILogger
{
    private readonly Dictionary<string, ILogger> _loggers = [];

    /// <param name="factory">The user's loggers.</param>
    public CategoryLogger(ILoggerFactory factory)
    {
        foreach (var category in LogCategories.All) { _loggers.Add(category, factory.CreateLogger(category)); }
        WritesOnlyErrors = factory is StandardErrorLog;
    }

    /// <summary>Whether no level below <see cref="LogLevel.Error"/> is ever written.</summary>
    public bool WritesOnlyErrors { get; }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => _loggers.Values.Any(logger => IsEnabled(logger, logLevel));

    /// <summary>Returns whether the messages of one category are written.</summary>
    public bool IsEnabled(LogLevel logLevel, string category) => IsEnabled(_loggers[category], logLevel);

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        try { _loggers[LogCategories.Of(eventId.Id)].Log(logLevel, eventId, state, exception, formatter); }
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
