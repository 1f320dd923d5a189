using Microsoft.Extensions.Logging;

namespace CoAP.Interop.Tests.Programs;

/// <summary>The lines that our side has logged.</summary>
internal sealed class LogLines : ILoggerFactory, ILogger
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private readonly List<string> _lines = [];
    private readonly List<(string Text, TaskCompletionSource<string> Line)> _waits = [];
    private readonly Lock _gate = new();

    /// <summary>Waits for a line that contains a text, also one that was written before.</summary>
    public async Task<string> LineAsync(string text)
    {
        var line = new TaskCompletionSource<string>(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_gate)
        {
            if (_lines.Find(one => one.Contains(text, StringComparison.Ordinal)) is { } found) { return found; }
            _waits.Add((text, line));
        }
        try { return await line.Task.WaitAsync(Patience); }
        catch (TimeoutException) { throw new TimeoutException($"No line contains '{text}'.\n{this}"); }
    }

    public override string ToString()
    {
        lock (_gate) { return string.Join('\n', _lines); }
    }

    ILogger ILoggerFactory.CreateLogger(string categoryName) => this;

    void ILoggerFactory.AddProvider(ILoggerProvider provider)
    {
    }

    bool ILogger.IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    void ILogger.Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var line = formatter(state, exception);
        lock (_gate)
        {
            _lines.Add(line);
            foreach (var (text, waiting) in _waits)
            {
                if (line.Contains(text, StringComparison.Ordinal)) { waiting.TrySetResult(line); }
            }
        }
    }

    void IDisposable.Dispose()
    {
    }
}
