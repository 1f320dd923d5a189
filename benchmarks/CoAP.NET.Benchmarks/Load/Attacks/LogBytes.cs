using Microsoft.Extensions.Logging;

namespace CoAP.Benchmarks.Load;

/// <summary>Counts the bytes that a log on the console would have.</summary>
internal sealed class LogBytes : ILoggerFactory, ILogger
{
    private long _bytes;

    public long Bytes => Volatile.Read(ref _bytes);

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Interlocked.Add(ref _bytes, IsEnabled(logLevel) ? formatter(state, exception).Length + (exception?.ToString().Length ?? 0) : 0);

    public void Dispose()
    {
    }
}
