namespace CoAP.Testing.Tests;

/// <summary>A sender that a function answers.</summary>
public sealed class FakeSenderTests
{
    private static readonly CoapResponse One = Response.Content("1");
    private static readonly CoapResponse Two = Response.Content("2");

    [Fact]
    public async Task It_answers_calls_of_both_forms_and_keeps_the_requests()
    {
        var sender = new FakeSender(static request => Answers.Of(Response.Content(request.Uri!)));

        (await sender.GetAsync("/a")).PayloadText.Should().Be("/a");
        sender.Get("/b").PayloadText.Should().Be("/b");

        sender.Requests.Select(static request => (request.Uri, request.Shape)).Should().Equal(("/a", AnswerShape.One), ("/b", AnswerShape.One));
    }

    [Fact]
    public async Task An_observation_of_it_reads_all_answers_and_has_a_state()
    {
        var sender = new FakeSender(static _ => Answers.Of(One, Two));
        var observation = sender.ObserveAsync("/t");
        var read = new List<(string, ObservationState)>();
        var changes = new SemaphoreSlim(0);
        observation.StateChanged += (_, _) => changes.Release();

        await foreach (var notification in observation) { read.Add((notification.Response.PayloadText, observation.State)); }

        read.Should().Equal(("1", ObservationState.Active), ("2", ObservationState.Active));
        (observation.State, observation.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.NotObserved));
        (await changes.WaitAsync(TimeSpan.FromMinutes(1))).Should().BeTrue();
        sender.Requests.Should().ContainSingle().Which.Shape.Should().Be(AnswerShape.Observation);
    }

    [Fact]
    public void A_blocking_observation_ends_with_the_error_of_the_function()
    {
        var sender = new FakeSender(static _ => throw new CoapTransportException("Nobody is there."));
        var observation = sender.Observe("/t");

        observation.Invoking(static one => one.ToList()).Should().Throw<CoapTransportException>();

        (observation.Observation.State, observation.Observation.EndReason).Should().Be((ObservationState.Ended, ObservationEnd.Failed));
        observation.Observation.LastError.Should().BeOfType<CoapTransportException>();
    }

    [Fact]
    public async Task A_group_and_a_request_without_an_answer_are_answered_alike()
    {
        var sender = new FakeSender(static request => request.Shape == AnswerShape.Group ? Answers.Of(One, Two) : Answers.None);
        var read = new List<string>();

        await foreach (var answer in sender.MulticastAsync("coap://224.0.1.187/x", TimeSpan.FromSeconds(1))) { read.Add(answer.PayloadText); }
        var delivery = await sender.SendAndForgetAsync(new CoapRequest(RequestCode.Post, "/x"));

        read.Should().Equal("1", "2");
        delivery.Should().Be(new Delivery(false, null));
    }

    [Fact]
    public async Task Answers_end_when_they_are_disposed_of_and_nothing_comes_after_a_cancellation()
    {
        var (ended, canceled) = (Answers.Of(One, Two), Answers.Of(One, Two));
        (await ended.NextAsync()).Should().BeSameAs(One);
        canceled.Next().Should().BeSameAs(One);

        ended.Dispose();

        (await ended.NextAsync()).Should().BeNull();
        canceled.Invoking(static answers => answers.Next(new CancellationToken(canceled: true))).Should().Throw<OperationCanceledException>();
    }

    [Fact]
    public void Mapped_answers_call_the_function_once_for_each()
    {
        var seen = new List<CoapResponse>();
        var mapped = Answers.Of(One, Two, Two, One).Map(answer =>
        {
            seen.Add(answer);
            return answer;
        });

        mapped.First.Should().BeSameAs(One);
        mapped.Blocking().Should().Equal(One, Two, Two, One);

        seen.Should().Equal(One, Two, Two, One);
    }

    [Fact]
    public void A_function_that_returns_null_throws()
    {
        new FakeSender(static _ => null!).Invoking(static sender => sender.Get("/x")).Should().Throw<InvalidOperationException>().WithMessage("The function of the FakeSender*");
    }
}
