using Microsoft.Extensions.Logging;

namespace CoAP.Benchmarks.Load;

/// <summary>The server for attacks that the sample server has no resource for: a handler that blocks in its reads, and one that throws.</summary>
internal static class AttackedService
{
    public static Task<IService> StartAsync(ServiceValues values)
    {
        var counters = new LibraryCounters();
        var log = new LogBytes();
        return CoapService.StartAsync(new CoapServerSettings { LoggerFactory = log }, ["udp", "tcp"], Map, question => question switch
        {
            "counters" => counters.Read(),
            "log" => $"{log.Bytes}",
            _ => "",
        });
    }

    private static void Map(CoapServer server)
    {
        server.Resources.At("hello").Get(static (_, _) => new(Response.Content("Hello, CoAP!")));
        server.Resources.At("large").Get(static (_, _) => new(Response.Content(new byte[10_240], ContentFormats.OctetStream)));
        server.Resources.At("throwing").Get(static (_, _) => throw new InvalidOperationException("This handler always fails."));
        server.Resources.At("blocking").StreamsBody().Put(static request =>
        {
            request.Body.CopyTo(Stream.Null);
            return Response.Changed;
        });
    }

    /// <summary>Counts the bytes that a log on the console would have.</summary>
    private sealed class LogBytes : ILoggerFactory, ILogger
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
}
