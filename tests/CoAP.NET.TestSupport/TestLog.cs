using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace CoAP.TestSupport;

/// <summary>Keeps what is logged, for tests to look at.</summary>
internal sealed class TestLog : ILoggerFactory, ILogger
{
    private const int StageFailed = 4;
    private const int LaneWorkFailed = 6;

    private readonly ConcurrentQueue<(LogLevel Level, int Id, string Text, Exception? Exception)> _entries = new();
    private readonly ConcurrentQueue<string> _categories = new();
    private volatile Exception? _fault;
    private readonly TaskCompletionSource<string> _firstError = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The first line that tells of an error; for those that other threads log.</summary>
    public Task<string> FirstError => _firstError.Task;

    public IEnumerable<Exception> Exceptions => _entries.Select(entry => entry.Exception).OfType<Exception>();

    public IEnumerable<string> Lines(LogLevel least) => _entries.Where(entry => entry.Level >= least).Select(entry => entry.Text);

    /// <summary>A stage or deadline of ours that threw: the lane lives on, but no test may pass over it.</summary>
    public void ThrowIfFaulted()
    {
        // Called in each turn of a wire, so it must not search what may be a line for each of thousands of requests.
        if (_fault is { } fault)
        {
            throw new InvalidOperationException("A stage of the lane failed.", fault);
        }
    }

    /// <summary>The categories of the loggers that were created.</summary>
    public IEnumerable<string> Categories => _categories;

    public ILogger CreateLogger(string categoryName)
    {
        _categories.Enqueue(categoryName);
        return this;
    }

    public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException("Everything is kept here.");

    public bool IsEnabled(LogLevel logLevel) => true;

    public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        var text = formatter(state, exception);
        _entries.Enqueue((logLevel, eventId.Id, text, exception));
        if (eventId.Id is StageFailed or LaneWorkFailed) { _fault ??= exception; }
        if (logLevel == LogLevel.Error) { _firstError.TrySetResult(text); }
    }

    public void Dispose()
    {
    }
}
