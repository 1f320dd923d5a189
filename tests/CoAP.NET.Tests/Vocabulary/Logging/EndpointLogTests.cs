using System.Collections.Concurrent;
using CoAP.Vocabulary;
using Microsoft.Extensions.Logging;

namespace CoAP.Tests.Vocabulary.Logging;

/// <summary>What a server writes about its start, its requests and its failures, and where.</summary>
public sealed class EndpointLogTests
{
    [Fact]
    public async Task A_server_names_its_endpoints_at_the_start_and_says_that_it_has_stopped()
    {
        using var log = new Lines(LogLevel.Information);
        var server = ServerOn(new InMemoryNetwork(), log);
        server.Start();

        await server.DisposeAsync();

        log.Written.Should().Equal("CoAP.Endpoint Listening on in-memory://device.", "CoAP.Endpoint The server has stopped.");
    }

    [Fact]
    public async Task Each_request_has_one_line_at_debug()
    {
        using var log = new Lines(LogLevel.Debug);
        var network = new InMemoryNetwork();
        await using var server = ServerOn(network, log);
        server.Start();
        await using var client = new CoapClient(new() { Network = network });

        await client.GetAsync("coap://device/hello");
        await client.PostAsync("coap+tcp://device/none", "x"u8.ToArray(), ContentFormats.TextPlain);

        log.Written.Where(line => line.StartsWith("CoAP.Requests", StringComparison.Ordinal)).Should().SatisfyRespectively(
            line => line.Should().Match("CoAP.Requests GET /hello [*] from endpoint-*: 2.05"),
            line => line.Should().Match("CoAP.Requests POST /none [*] from *: 4.04"));
    }

    [Fact]
    public async Task A_suppressed_response_has_a_line_of_its_own()
    {
        using var log = new Lines(LogLevel.Debug);
        var network = new InMemoryNetwork();
        await using var server = ServerOn(network, log);
        server.Start();
        await using var client = new CoapClient(new() { Network = network });

        await client.SendAndForgetAsync(new CoapRequest(RequestCode.Get, "coap://device/hello"));

        log.Written.Should().ContainSingle(line => line.Contains("2.05, which the client does not want"));
    }

    [Fact]
    public async Task Requests_are_silent_at_information()
    {
        using var log = new Lines(LogLevel.Information);
        var network = new InMemoryNetwork();
        await using var server = ServerOn(network, log);
        server.Start();
        await using var client = new CoapClient(new() { Network = network });

        await client.GetAsync("coap://device/hello");

        log.Written.Should().NotContain(line => line.StartsWith("CoAP.Requests", StringComparison.Ordinal));
    }

    [Fact]
    public void Without_a_log_errors_reach_the_standard_error_stream_and_nothing_else_does()
    {
        using var written = new StringWriter();
        var cut = new CategoryLogger(new StandardErrorLog(written));

        Log.NoEndpoints(cut);
        Log.HandlerTooSlow(cut, "/slow", 3);
        Log.CallbackFailed(cut, new InvalidOperationException("broken"), 0);

        written.ToString().Should().StartWith("CoAP.Requests[15] A callback failed").And.Contain("InvalidOperationException: broken").And.NotContain("/slow");
    }

    [Fact]
    public void The_default_log_is_that_of_errors() =>
        new CoapServerSettings().LoggerFactory.Should().BeSameAs(new CoapClientSettings().LoggerFactory).And.BeOfType<StandardErrorLog>();

    [Fact]
    public void A_log_that_throws_harms_nobody()
    {
        using var log = new Lines(LogLevel.Trace) { Fails = true };
        var cut = new CategoryLogger(log);

        FluentActions.Invoking(() => Log.NoEndpoints(cut)).Should().NotThrow();
        cut.IsEnabled(LogLevel.Critical).Should().BeFalse();
    }

    [Fact]
    public void Only_the_log_of_requests_decides_whether_each_request_has_a_line()
    {
        using var log = new Lines(LogLevel.Debug);
        var cut = new EndpointLog(new CategoryLogger(log), TimeProvider.System);

        cut.WritesRequests.Should().BeTrue();
        log.Asked.Should().Equal("CoAP.Requests");
    }

    private static CoapServer ServerOn(InMemoryNetwork network, Lines log)
    {
        var server = new CoapServer(new() { Network = network, Endpoints = [ServerEndpoint.InMemory("device")], LoggerFactory = log });
        server.Resources.At("hello").Get(_ => Response.Content("Hello"));
        return server;
    }

    private sealed class Lines(LogLevel least) : ILoggerFactory
    {
        public ConcurrentQueue<string> Written { get; } = new();

        public ConcurrentQueue<string> Asked { get; } = new();

        public bool Fails { get; init; }

        public ILogger CreateLogger(string categoryName) => new Writer(this, categoryName, least);

        public void AddProvider(ILoggerProvider provider) => throw new NotSupportedException();

        public void Dispose()
        {
        }

        private sealed class Writer(Lines lines, string category, LogLevel least) : ILogger
        {
            public IDisposable? BeginScope<TState>(TState state) where TState : notnull => null;

            public bool IsEnabled(LogLevel logLevel)
            {
                lines.Asked.Enqueue(category);
                return lines.Fails ? throw new InvalidOperationException("The log is broken.") : logLevel >= least;
            }

            public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
            {
                if (IsEnabled(logLevel)) { lines.Written.Enqueue($"{category} {formatter(state, exception)}"); }
            }
        }
    }
}
