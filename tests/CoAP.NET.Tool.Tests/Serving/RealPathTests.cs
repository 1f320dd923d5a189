using CoAP.Tool.Serving;

namespace CoAP.Tool.Tests.Serving;

/// <summary>The search for symbolic links in a path. What is counted are the questions to the file system.</summary>
public sealed class RealPathTests
{
    private readonly Dictionary<string, string?> _places = new() { ["/served"] = null, ["/served/a"] = null, ["/secret"] = null };
    private int _questions;

    [Theory]
    [InlineData(1)]
    [InlineData(64)]
    [InlineData(2000)]
    public void A_long_path_that_does_not_exist_costs_as_much_as_a_short_one(int segments)
    {
        var path = "/served/a" + string.Concat(Enumerable.Repeat("/b", segments));

        RealPath.Of(path, Look).Should().Be(path);

        _questions.Should().Be(3);
    }

    [Fact]
    public void Each_part_that_exists_is_looked_up_once()
    {
        RealPath.Of("/served/a", Look).Should().Be("/served/a");

        _questions.Should().Be(2);
    }

    [Fact]
    public void A_link_after_a_part_that_does_not_exist_is_still_followed()
    {
        _places["/served/out"] = "/secret";
        _places["/served/link"] = "missing/../out";

        RealPath.Of("/served/link", Look).Should().Be("/secret");
    }

    private RealPath.Place Look(string path)
    {
        _questions++;
        return _places.TryGetValue(path, out var target) ? new(Exists: true, target) : default;
    }
}
