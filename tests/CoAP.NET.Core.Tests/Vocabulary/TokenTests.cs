namespace CoAP.Messages;

public class TokenTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(8)]
    [InlineData(9)]
    [InlineData(300)]
    [InlineData(Token.MaxLength)]
    public void Keeps_its_bytes_and_their_length(int length)
    {
        var bytes = Enumerable.Range(1, length).Select(number => (byte)number).ToArray();

        var token = new Token(bytes);

        token.Length.Should().Be(length);
        token.ToArray().Should().Equal(bytes);
        token.ToString().Should().Be(Convert.ToHexString(bytes));
    }

    [Fact]
    [Trait("RFC", "8974 2.1")]
    public void Has_at_most_65804_bytes()
    {
        var act = () => new Token(new byte[Token.MaxLength + 1]);

        act.Should().Throw<ArgumentException>().WithMessage("*65805*65804*");
    }

    [Theory]
    [InlineData("", "00")]
    [InlineData("00", "0000")]
    [InlineData("0102030405060708", "010203040506070800")]
    [InlineData("0102", "0103")]
    [InlineData("010203040506070809", "010203040506070808")]
    public void Differs_by_any_byte_and_by_length(string left, string right)
    {
        var (one, other) = (new Token(Convert.FromHexString(left)), new Token(Convert.FromHexString(right)));

        (one == other).Should().BeFalse();
        (one != other).Should().BeTrue();
        one.Should().Be(new Token(Convert.FromHexString(left)));
        one.GetHashCode().Should().Be(new Token(Convert.FromHexString(left)).GetHashCode());
    }

    [Fact]
    public void Writes_no_byte_behind_a_short_destination()
    {
        var token = new Token([1, 2, 3]);
        var exact = new byte[3];

        token.CopyTo(exact).Should().Be(3);

        exact.Should().Equal(1, 2, 3);
        token.Invoking(one => one.CopyTo(new byte[2])).Should().Throw<ArgumentException>();
    }
}
