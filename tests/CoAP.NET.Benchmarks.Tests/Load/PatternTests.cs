using SampleServer;

namespace CoAP.Benchmarks.Load.Tests;

public class PatternTests
{
    [Theory]
    [InlineData(0, 1)]
    [InlineData(255, 2)]
    [InlineData(8_191, 8_193)]
    [InlineData(5_000_000_007, 20_000)]
    public void Each_byte_is_its_place(long offset, int count)
    {
        using var body = new Pattern(offset + count + 1) { Position = offset };
        var buffer = new byte[count];

        body.ReadExactly(buffer);

        buffer.Should().Equal(Enumerable.Range(0, count).Select(at => (byte)(offset + at)));
        body.Position.Should().Be(offset + count);
    }

    [Fact]
    public void A_pattern_that_has_ended_produces_nothing()
    {
        using var body = new Pattern(10);
        body.Position = 7;

        body.Read(new byte[16]).Should().Be(3);
        body.Read(new byte[16]).Should().Be(0);
    }
}
