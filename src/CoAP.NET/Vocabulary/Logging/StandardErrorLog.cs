using Microsoft.Extensions.Logging;

namespace CoAP.Vocabulary;

/// <summary>Writes errors to the standard error stream, for programs that have not configured a log: a failing handler must not go unnoticed.</summary>
internal sealed class StandardErrorLog : ILoggerFactory
{
    private readonly TextWriter? _writer;

    /// <param name="writer">The stream. Default: the standard error stream.</param>
    public StandardErrorLog(TextWriter? writer = null) => _writer = writer;

    public static StandardErrorLog Instance { get; } = new();

    public ILogger CreateLogger(string categoryName) => new Lines(categoryName, _writer);

    public void AddProvider(ILoggerProvider provider) =>
        throw new NotSupportedException("This log writes only to the standard error stream. Set LoggerFactory to LoggerFactory.Create(...) to add a provider.");

    public void Dispose()
    {
    }

    private sealed class Lines(string category, TextWriter? writer) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel is LogLevel.Error or LogLevel.Critical;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            if (!IsEnabled(logLevel)) { return; }
            var text = $"{category}[{eventId.Id}] {formatter(state, exception)}";
            (writer ?? Console.Error).WriteLine(exception is null ? text : $"{text}{Environment.NewLine}{exception}");
        }
    }
}
