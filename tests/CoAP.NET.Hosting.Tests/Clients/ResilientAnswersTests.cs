using CoAP.Testing;
using Polly;
using Polly.Fallback;
using Polly.Hedging;

namespace CoAP.Hosting.Tests.Clients;

/// <summary>A pipeline of Polly around requests for other answers than one.</summary>
public sealed class ResilientAnswersTests
{
    private static readonly CoapResponse Busy = new(ResponseCode.ServiceUnavailable);

    private int _attempts;

    [Fact]
    public async Task The_first_registration_of_an_observation_is_retried_and_its_states_pass()
    {
        var sender = Sender(Retry(), first: Answers.Of(Busy), then: () => Answers.Of(Response.Content("1"), Response.Content("2")));
        var read = new List<string>();

        await foreach (var state in sender.ObserveAsync("/x")) { read.Add(state.Response.PayloadText); }

        read.Should().Equal("1", "2");
        _attempts.Should().Be(2);
    }

    [Fact]
    public void A_blocking_observation_is_retried_too()
    {
        var sender = Sender(Retry(), first: Answers.Of(Busy), then: () => Answers.Of(Response.Content("1")));

        sender.Observe("/x").Select(static state => state.Response.PayloadText).Should().Equal("1");
    }

    [Fact]
    public async Task A_busy_member_of_a_group_does_not_have_the_others_answer_again()
    {
        var sender = Sender(Retry(), first: Answers.Of(Busy, Response.Content("1")), then: () => Answers.None);
        var codes = new List<CoapCode>();

        await foreach (var answer in sender.MulticastAsync("coap://224.0.1.187/x", TimeSpan.FromSeconds(1))) { codes.Add(answer.Code); }

        codes.Should().Equal(ResponseCode.ServiceUnavailable, ResponseCode.Content);
        _attempts.Should().Be(1);
    }

    [Fact]
    public async Task A_request_without_an_answer_succeeds()
    {
        var sender = Sender(Retry(), first: Answers.Acknowledged, then: () => Answers.None);

        (await sender.SendAndForgetAsync(new CoapRequest(RequestCode.Put, "/x"))).Should().Be(new Delivery(true, null));

        _attempts.Should().Be(1);
    }

    [Fact]
    public void A_fallback_answers_instead()
    {
        var fallback = new FallbackStrategyOptions<CoapResponse>
        {
            ShouldHandle = static one => new(CoapResilience.IsTransient(one.Outcome)),
            FallbackAction = static _ => new(Outcome.FromResult(Response.Content("from yesterday"))),
        };
        var sender = Sender(builder => builder.AddFallback(fallback), first: Answers.Of(Busy), then: () => Answers.None);

        sender.Get("/x").PayloadText.Should().Be("from yesterday");
    }

    [Fact]
    public async Task Of_attempts_at_the_same_time_only_the_chosen_one_stays_open()
    {
        var disposed = new List<string>();
        var hedging = new HedgingStrategyOptions<CoapResponse> { Delay = TimeSpan.Zero, MaxHedgedAttempts = 1 };
        var attempts = 0;
        var step = RequestStep.Of("two", async (_, _, stop) =>
        {
            if (Interlocked.Increment(ref attempts) > 1) { return new WatchedAnswers("quick", disposed); }
            // It answers although it is canceled, and the pipeline waits for that.
            var canceled = new TaskCompletionSource();
            await using var registration = stop.Register(canceled.SetResult);
            await canceled.Task;
            return new WatchedAnswers("slow", disposed);
        });
        var sender = new FakeSender(static _ => Answers.None).Through(new ResilienceStep(Pipeline(builder => builder.AddHedging(hedging))), step);

        var answers = await sender.AskAsync(new CoapRequest(RequestCode.Get, "/x"));

        answers.First!.PayloadText.Should().Be("quick");
        disposed.Should().Equal("slow");
    }

    private static Action<ResiliencePipelineBuilder<CoapResponse>> Retry()
    {
        var options = CoapResilience.Retry(maxRetries: 2);
        options.DelayGenerator = static _ => new(TimeSpan.Zero);
        return builder => builder.AddRetry(options);
    }

    private static ResiliencePipeline<CoapResponse> Pipeline(Action<ResiliencePipelineBuilder<CoapResponse>> configure)
    {
        var builder = new ResiliencePipelineBuilder<CoapResponse>();
        configure(builder);
        return builder.Build();
    }

    private IRequestSender Sender(Action<ResiliencePipelineBuilder<CoapResponse>> configure, Answers first, Func<Answers> then) =>
        new FakeSender(_ => _attempts++ == 0 ? first : then()).Through(new ResilienceStep(Pipeline(configure)));

    private sealed class WatchedAnswers(string name, List<string> disposed) : Answers
    {
        public override CoapResponse First { get; } = Response.Content(name);

        public override ValueTask<CoapResponse?> NextAsync(CancellationToken cancellationToken = default) => new((CoapResponse?)null);

        public override CoapResponse? Next(CancellationToken cancellationToken = default) => null;

        public override void Dispose()
        {
            lock (disposed) { disposed.Add(name); }
        }
    }
}
