using System.Threading.Tasks.Dataflow;

namespace CoAP.Tests.Resources;

/// <summary>A user's stage loses the error that ends an observation, or the answer that confirms it.</summary>
public sealed class LostDenialsTests : AuthorizationScene
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [Theory]
    [InlineData(false), InlineData(true)]
    public void A_denial_that_a_stage_loses_ends_the_observation(bool throws)
    {
        _settings = new() { Links = [Losing(throws, static answer => !answer.Response.IsSuccess)] };
        Serve();
        _server!.ToleratesFaults = true;
        Observe(_client);
        _resource.ObserverCount.Should().Be(1);
        _denied.Add("client");

        _resource.NotifyChanged();

        _client.ExpectNothing(seconds: 10);
        Leftovers().Should().Be((0, 0, 0));
    }

    [Theory]
    [InlineData(false), InlineData(true)]
    public void An_observer_whose_first_answer_a_stage_loses_is_removed(bool throws)
    {
        _settings = new() { Links = [Losing(throws, static answer => answer.Response.IsSuccess)] };
        Serve();

        Observe(_client);

        _client.Received.Should().HaveCount(throws ? 1 : 0, "a failure is answered with 5.00");
        Leftovers().Should().Be((0, 0, 0));
    }

    [Fact]
    public async Task A_denial_that_a_block_has_when_it_fails_ends_the_observation()
    {
        var block = new TransformBlock<Answer, Answer>(static answer => answer.Response.IsSuccess ? answer : throw new InvalidOperationException("a bug"));
        _settings = new() { Links = [MeshLink.Through(MeshArrow.ObservedAnswers, () => block)] };
        Serve();
        Observe(_client);
        Await(() => _client.Received.Count == 1);
        _denied.Add("client");

        _resource.NotifyChanged();
        _wire.RunUntilIdle(TimeSpan.Zero);
        await _server!.Log.FirstError.WaitAsync(Patience);

        Await(() => _resource.ObserverCount == 0);
        Leftovers().Should().Be((0, 0, 0));
    }

    [Fact]
    public void A_notification_that_a_filter_drops_does_not_end_the_observation()
    {
        var drops = false;
        _settings = new() { Links = [MeshLink.Filter(MeshArrow.ObservedAnswers, _ => !drops)] };
        Serve();
        Observe(_client);

        drops = true;
        _resource.NotifyChanged();
        _client.ExpectNothing(seconds: 10);
        drops = false;
        _resource.NotifyChanged();

        _client.Expect("CON [X] 2.05 Content (Token 0x01) {Observe: 3, Content-Format: 0} '*'");
    }

    private static MeshLink Losing(bool throws, Func<Answer, bool> loses) => throws
        ? MeshLink.Stages(lane => lane.Insert(MeshArrow.SizedAnswers, new ThrowingStage(loses)))
        : MeshLink.Filter(MeshArrow.ObservedAnswers, answer => !loses(answer));

    private (int Observers, long Charged, int Deadlines) Leftovers() =>
        (_resource.ObserverCount, _server!.Lane.Ledger.Observations.Used, _server.Lane.DeadlineCount);

    private void Await(Func<bool> condition) => SpinWait.SpinUntil(
        () =>
        {
            _client.TakeAll(seconds: 0);
            return condition();
        }, Patience).Should().BeTrue();

    private sealed class ThrowingStage(Func<Answer, bool> loses) : InlineStage<Answer, Answer>
    {
        protected override void Process(in Answer item)
        {
            if (loses(item)) { throw new InvalidOperationException("a bug"); }
            Out.Emit(item);
        }
    }
}
