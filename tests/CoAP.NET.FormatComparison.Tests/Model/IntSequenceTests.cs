using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Tests.Model;

public sealed class IntSequenceTests
{
    [Fact]
    public void A_sequence_recognizes_its_values_and_no_others()
    {
        var sequence = new IntSequence(42, 1000);
        var values = sequence.ToArray();

        sequence.Matches(values).Should().BeTrue();
        sequence.Matches(values[..^1]).Should().BeFalse();
        values[500]++;
        sequence.Matches(values).Should().BeFalse();
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(65_536)]
    [InlineData(200_000)]
    public void A_collector_keeps_all_values_in_order(int count)
    {
        var sequence = new IntSequence(1, count);
        var (single, spans) = (new IntCollector(), new IntCollector());

        foreach (var value in sequence.ToArray()) { single.Add(value); }
        foreach (var chunk in sequence.ToArray().Chunk(1000)) { spans.Add(chunk); }

        sequence.Matches(single).Should().BeTrue();
        sequence.Matches(spans).Should().BeTrue();
        new IntSequence(2, Math.Max(count, 1)).Matches(single).Should().BeFalse();
    }
}
