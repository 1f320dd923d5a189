using CoAP.Testing;
using Microsoft.Extensions.DependencyInjection;
using Polly;
using Polly.CircuitBreaker;

namespace CoAP.Hosting.Tests.Clients;

public sealed class ResilienceTests
{
    [Theory]
    [InlineData("GET", 3)]
    [InlineData("PUT", 3)]
    [InlineData("DELETE", 3)]
    [InlineData("FETCH", 3)]
    [InlineData("iPATCH", 3)]
    [InlineData("POST", 1)]
    [InlineData("PATCH", 1)]
    public async Task Only_idempotent_methods_are_retried(string method, int attempts)
    {
        var server = new FailingServer(failures: 2);
        var sender = server.SenderWith(builder => builder.AddRetry(Quick()));

        var response = await sender.SendAsync(new CoapRequest(FailingServer.CodeOf(method), "coap://peer/x"));

        server.Attempts.Should().Be(attempts);
        response.IsSuccess.Should().Be(attempts == 3);
    }

    [Fact]
    public void A_blocking_call_is_retried_too_and_a_post_if_the_program_says_so()
    {
        var server = new FailingServer(failures: 2);
        var sender = server.SenderWith(builder => builder.AddRetry(Quick(all: true)));

        sender.Post("coap://peer/x", new byte[] { 1 }).IsSuccess.Should().BeTrue();

        server.Attempts.Should().Be(3);
    }

    [Fact]
    public async Task The_retry_waits_for_the_max_age_of_the_response()
    {
        var (time, server) = (new ManualClock(), new FailingServer(failures: 1, maxAge: 7));
        var sender = server.SenderWith(builder => builder.AddRetry(CoapResilience.Retry()), time);

        var response = sender.GetAsync("coap://peer/x").AsTask();
        await time.WhenTimersAsync(1);

        time.UntilNextTimer.Should().Be(TimeSpan.FromSeconds(7));
        time.Advance(TimeSpan.FromSeconds(7));
        (await response).IsSuccess.Should().BeTrue();
    }

    [Fact]
    public async Task A_max_age_beyond_the_longest_delay_is_returned_at_once()
    {
        var server = new FailingServer(failures: 1, maxAge: 31);
        var sender = server.SenderWith(CoapResilience.Standard);

        (await sender.GetAsync("coap://peer/x")).Code.Should().Be(ResponseCode.ServiceUnavailable);

        server.Attempts.Should().Be(1);
    }

    [Fact]
    public async Task A_seekable_body_is_sent_again_from_its_beginning()
    {
        var stream = new MemoryStream("..hello"u8.ToArray()) { Position = 2 };
        var server = new FailingServer(failures: 1) { Body = stream };
        var sender = server.SenderWith(builder => builder.AddRetry(Quick()));

        await sender.SendAsync(new CoapRequest(RequestCode.Put, "coap://peer/x") { Body = BodySource.From(stream) });

        server.Attempts.Should().Be(2);
        server.StartsOfBodies.Should().Equal(2, 2);
    }

    [Fact]
    public async Task A_body_that_cannot_be_read_again_keeps_the_first_error_under_any_pipeline()
    {
        var server = new FailingServer(failures: 5, error: new CoapTransportException("The cable is cut."));
        var sender = server.SenderWith(builder => builder.AddRetry(new() { Delay = TimeSpan.Zero, ShouldHandle = static one => new(one.Outcome.Exception is not null) }));
        using var stream = new OnceStream();

        var sending = () => sender.SendAsync(new CoapRequest(RequestCode.Put, "coap://peer/x") { Body = BodySource.From(stream) }).AsTask();

        await sending.Should().ThrowAsync<CoapTransportException>();
        server.Attempts.Should().Be(1);
    }

    [Fact]
    public async Task A_circuit_breaker_opens_for_transient_failures()
    {
        var server = new FailingServer(failures: 100);
        var sender = server.SenderWith(builder => builder.AddCircuitBreaker(new()
        {
            MinimumThroughput = 2,
            FailureRatio = 0.5,
            ShouldHandle = static one => new(CoapResilience.IsTransient(one.Outcome)),
        }));

        await sender.GetAsync("coap://peer/x");
        await sender.GetAsync("coap://peer/x");

        await sender.Awaiting(one => one.GetAsync("coap://peer/x").AsTask()).Should().ThrowAsync<BrokenCircuitException>();
        server.Attempts.Should().Be(2);
    }

    [Fact]
    public async Task The_host_injects_a_client_whose_requests_pass_the_pipeline()
    {
        var calls = 0;
        await using var host = ClientHost.With(
            services => services.AddCoapClient(settings => settings with { MaxRetryAfter = TimeSpan.Zero }).AddResilience(builder => builder.AddRetry(Quick())),
            server => server.Resources.At("x").Get(_ => Interlocked.Increment(ref calls) % 3 == 0 ? Response.Changed : new CoapResponse(ResponseCode.ServiceUnavailable), HandlerMode.Inline));

        (await host.Services.GetRequiredService<IRequestSender>().GetAsync("coap://peer/x")).IsSuccess.Should().BeTrue();
        (await host.Services.GetRequiredService<CoapClient>().GetAsync("coap://peer/x")).IsSuccess.Should().BeTrue();

        calls.Should().Be(6);
    }

    [Fact]
    public void A_second_pipeline_is_refused()
    {
        var builder = new ServiceCollection().AddCoapClient("a").AddResilience(ResiliencePipeline<CoapResponse>.Empty);

        builder.Invoking(one => one.AddResilience(CoapResilience.Standard)).Should().Throw<InvalidOperationException>().WithMessage("*'a' already has*");
    }

    private static Polly.Retry.RetryStrategyOptions<CoapResponse> Quick(bool all = false)
    {
        var options = CoapResilience.Retry(maxRetries: 2, retriesAllMethods: all);
        options.DelayGenerator = static _ => new(TimeSpan.Zero);
        return options;
    }

    private sealed class OnceStream : MemoryStream
    {
        public override bool CanSeek => false;
    }
}
