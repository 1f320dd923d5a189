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
}
