using CoAP.Blockwise;
using CoAP.Freshness;
using CoAP.Groups;
using CoAP.Resources;

namespace CoAP.Tests.Resources;

public sealed class FeatureExtensionsTests
{
    private readonly ResourceMap _map = new();

    [Fact]
    public void Features_stand_side_by_side_in_any_order()
    {
        var resource = _map.At("r").StreamsBody(10).Observable().AnswersMulticast().RequiresFreshness(TimeSpan.FromSeconds(3)).Get(_ => Response.Changed);

        resource.Features.Find<StreamedBody>()!.MaxSize.Should().Be(10);
        resource.Features.Find<MulticastRule>()!.Answers.Should().Be(MulticastAnswers.Useful);
        resource.Features.Find<RequiredFreshness>()!.MaxAge.Should().Be(TimeSpan.FromSeconds(3));
        resource.ObserverCount.Should().Be(0);
    }

    [Fact]
    public void A_further_call_replaces_what_was_chosen()
    {
        var resource = _map.At("r").StreamsBody(10).AnswersMulticast(MulticastAnswers.All, RequestCode.Put).RequiresFreshness(TimeSpan.FromSeconds(3));

        resource.StreamsBody().AnswersMulticast().RequiresFreshness(TimeSpan.FromSeconds(4));

        resource.Features.Find<StreamedBody>()!.MaxSize.Should().Be(long.MaxValue);
        (resource.TakesMulticast(RequestCode.Get), resource.TakesMulticast(RequestCode.Fetch), resource.TakesMulticast(RequestCode.Put))
            .Should().Be((true, true, false));
        resource.Features.Find<RequiredFreshness>()!.MaxAge.Should().Be(TimeSpan.FromSeconds(4));
    }

    [Fact]
    public void A_resource_without_features_has_their_defaults()
    {
        var resource = _map.At("r");

        resource.TakesMulticast(RequestCode.Get).Should().BeFalse();
        resource.ObserverCount.Should().Be(0);
        resource.Invoking(it => it.NotifyChanged()).Should().Throw<InvalidOperationException>().WithMessage("'/r' is not observable*");
        RequiredFreshness.MaxAgeOf(Requests.Unrouted("/r"), _map).Should().BeNull();
    }

    [Fact]
    public void Only_the_resource_that_requires_freshness_gets_it()
    {
        _map.At("open");
        _map.At("guarded").RequiresFreshness(TimeSpan.FromSeconds(3));

        RequiredFreshness.MaxAgeOf(Requests.Unrouted("/open"), _map).Should().BeNull();
        RequiredFreshness.MaxAgeOf(Requests.Unrouted("/guarded"), _map).Should().Be(TimeSpan.FromSeconds(3));
        RequiredFreshness.MaxAgeOf(Requests.Unrouted("/guarded"), resources: null).Should().BeNull();
    }

    [Fact]
    public void Becomes_observable_once()
    {
        var resource = _map.At("r").Observable();

        resource.Invoking(it => it.Observable()).Should().Throw<InvalidOperationException>().WithMessage("'/r' is already observable.");
    }

    [Fact]
    public void Refuses_values_that_make_no_sense()
    {
        var resource = _map.At("r");

        resource.Invoking(it => it.StreamsBody(-1)).Should().Throw<ArgumentOutOfRangeException>();
        resource.Invoking(it => it.RequiresFreshness(TimeSpan.Zero)).Should().Throw<ArgumentOutOfRangeException>();
        resource.Invoking(it => it.AnswersMulticast((MulticastAnswers)9)).Should().Throw<ArgumentOutOfRangeException>();
        resource.Invoking(it => it.AnswersMulticast(MulticastAnswers.All, ResponseCode.Content)).Should().Throw<ArgumentException>()
            .WithMessage("Code 2.05 is not a method*");
    }

    [Fact]
    public void Removing_a_resource_from_its_map_tells_its_features_once()
    {
        var map = new ResourceMap();
        var (removed, kept) = (new Removable(), new Removable());
        map.At("removed").Features.Set(removed);
        map.At("kept").Features.Set(kept);

        map.Remove("removed");
        map.Remove("removed");

        (removed.Removals, kept.Removals).Should().Be((1, 0));
    }

    private sealed class Removable : ResourceFeature
    {
        public int Removals { get; private set; }

        public override void OnRemoved() => Removals++;
    }
}
