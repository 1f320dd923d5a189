using System.Diagnostics;

namespace CoAP.Options;

/// <summary>The options that carry the context of a trace.</summary>
public sealed class TraceContextTests
{
    [Theory, Trait("RFC", "7252 5.4.6")]
    [InlineData(65_020)]
    [InlineData(65_052)]
    public void The_options_are_elective_safe_to_forward_and_no_part_of_the_cache_key(int number)
    {
        (number & 1).Should().Be(0, "a critical option would be rejected");
        (number & 2).Should().Be(0, "an unsafe option would not be forwarded");
        (number & 0x1E).Should().Be(0x1C, "each request would miss the cache");
        number.Should().BeInRange(65_000, 65_535);
        new[] { TraceParent.Declaration.Number, TraceState.Declaration.Number }.Should().Contain(number);
    }

    [Fact]
    public void A_context_is_the_same_after_its_way_over_the_wire()
    {
        var sent = new ActivityContext(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.Recorded);

        TraceParent.Of(sent).TryGetContext("a=1", out var received).Should().BeTrue();

        (received.TraceId, received.SpanId, received.TraceFlags).Should().Be((sent.TraceId, sent.SpanId, sent.TraceFlags));
        (received.TraceState, received.IsRemote).Should().Be(("a=1", true));
    }

    [Fact]
    public void The_bytes_are_the_trace_the_span_and_the_flags()
    {
        var context = new ActivityContext(
            ActivityTraceId.CreateFromString("0af7651916cd43dd8448eb211c80319c"), ActivitySpanId.CreateFromString("b7ad6b7169203331"), ActivityTraceFlags.Recorded);

        Convert.ToHexStringLower(TraceParent.Of(context).Value.Span).Should().Be("0af7651916cd43dd8448eb211c80319c" + "b7ad6b7169203331" + "01");
    }

    [Theory]
    [InlineData(24)]
    [InlineData(26)]
    public void Another_length_is_no_context(int length) => FluentActions.Invoking(() => new TraceParent(new byte[length])).Should().Throw<ArgumentOutOfRangeException>();

    [Fact]
    public void Zeros_are_no_context() => new TraceParent(new byte[25]).TryGetContext(null, out _).Should().BeFalse();

    [Fact]
    public void A_malformed_state_is_ignored_but_not_the_span()
    {
        var parent = TraceParent.Of(new(ActivityTraceId.CreateRandom(), ActivitySpanId.CreateRandom(), ActivityTraceFlags.None));

        parent.TryGetContext("a=1\r\nX-Forged: 1", out var received).Should().BeTrue();

        (received.TraceState, received.SpanId).Should().Be((null, ActivitySpanId.CreateFromString(Convert.ToHexStringLower(parent.Value.Span[16..24]))));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("a=ü")]
    public void A_state_without_usable_members_is_not_sent(string? members) => TraceState.Of(members).Should().BeNull();
}
