using System.Globalization;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

public sealed class RouteConstraintTests
{
    [Theory]
    [InlineData("{id:regex(a*)}", "*'regex' of placeholder 'id' is not a constraint; the constraints are range(1,9), min(1), max(9), bool, guid, uint, int, long, double, alpha, length(3) or length(1,8).*")]
    [InlineData("{id:Int}", "*'Int' of placeholder 'id' is not a constraint*")]
    [InlineData("{id:}", "*'' of placeholder 'id' is not a constraint*")]
    [InlineData("{id:int:}", "*'' of placeholder 'id' is not a constraint*")]
    [InlineData("{id:int(3)}", "*constraint 'int(3)' of placeholder 'id' is malformed; write int, without arguments.*")]
    [InlineData("{id:int()}", "*constraint 'int()'*malformed*")]
    [InlineData("{id:min}", "*constraint 'min' of placeholder 'id' is malformed; write min(1), with an integer of 64 bits.*")]
    [InlineData("{id:max(x)}", "*constraint 'max(x)'*malformed*")]
    [InlineData("{id:range(9,1)}", "*write range(1,9), with integers of 64 bits, the lowest first.*")]
    [InlineData("{id:range(1,2,3)}", "*write range(1,9)*")]
    [InlineData("{id:range(1,9}", "*write range(1,9)*")]
    [InlineData("{id:length(0)}", "*write length(3) or length(1,8), with lengths from 1 to 255 characters, the shortest first.*")]
    [InlineData("{id:length(3,256)}", "*write length(3)*")]
    [InlineData("{*rest:int}", "*wildcard '{*rest:int}' has a constraint; only a placeholder for one segment can have one.*")]
    [InlineData("{:int}", "*a placeholder has no name*")]
    public void Refuses_a_wrong_constraint_and_shows_the_right_form(string template, string message)
    {
        var mapping = () => new ResourceMap().At(template);

        mapping.Should().Throw<ArgumentException>().WithParameterName(nameof(template)).WithMessage(message);
    }

    [Theory]
    [InlineData("int", "7 -7 007 -0 2147483647 -2147483648", "abc 2147483648 1.0 +7 7x 0x7 1e3 - ٣ 7Ã")]
    [InlineData("uint", "0 4294967295", "-1 4294967296 +1")]
    [InlineData("long", "9223372036854775807 -9223372036854775808", "9223372036854775808 a")]
    [InlineData("double", "1 1.5 -1.5 1e3 .5", "1,5 NaN Infinity ∞ 1e999 +1 x 1.2.3")]
    [InlineData("bool", "true false True FALSE", "1 yes truee tru")]
    [InlineData("guid", "0f8fad5b-d9cb-469f-a165-70867728950e 0F8FAD5BD9CB469FA16570867728950E", "0f8fad5b {0f8fad5b-d9cb-469f-a165-70867728950e} 0f8fad5b-d9cb-469f-a165-70867728950g")]
    [InlineData("alpha", "a Z abcXYZ", "1 a1 ä a-b")]
    [InlineData("min(2)", "2 3 9223372036854775807", "1 -2 a 2.5")]
    [InlineData("max(-2)", "-2 -3", "-1 0 b")]
    [InlineData("range( 1, 9 )", "1 9 05", "0 10 x")]
    [InlineData("length(3)", "abc äöü 123", "ab abcd ä")]
    [InlineData("length(1,3)", "a abc", "abcd")]
    [InlineData("int:range(1,9):length(1)", "1 9", "01 10 0")]
    public void A_constraint_accepts_its_values_only(string constraint, string allowed, string refused)
    {
        var map = new ResourceMap();
        map.At($"{{id:{constraint}}}");

        allowed.Split(' ').Should().OnlyContain(value => IsMatched(map, value));
        refused.Split(' ').Should().OnlyContain(value => !IsMatched(map, value));
    }

    [Fact]
    public void Does_not_depend_on_the_culture()
    {
        var before = CultureInfo.CurrentCulture;
        try
        {
            CultureInfo.CurrentCulture = new CultureInfo("") { NumberFormat = { NegativeSign = "~", NumberDecimalSeparator = "," } };

            A_constraint_accepts_its_values_only("double", "-1.5", "~1 1,5");
            A_constraint_accepts_its_values_only("int", "-15", "~15");
        }
        finally { CultureInfo.CurrentCulture = before; }
    }

    [Fact]
    public void Refuses_bytes_that_are_not_UTF_8()
    {
        var map = new ResourceMap();
        map.At("{id:int}");
        map.At("{id:alpha}");
        var option = new UnknownOption(UriPath.Declaration.Number, new byte[] { (byte)'7', 0xff });

        map.Match(Requests.Message(RequestCode.Get, [option], default).Options).Should().BeNull();
    }

    [Theory]
    [InlineData("/5", "/{id:int:min(1)}")]
    [InlineData("/0", "/{id:int}")]
    [InlineData("/7", "/7")]
    [InlineData("/x", "/{name:alpha}")]
    [InlineData("/x1", "/{any}")]
    [InlineData("/3000000000", "/{id:long}")]
    [InlineData("/x1/y", "/{*rest}")]
    [InlineData("/true", "/{flag:bool}")]
    public void The_narrower_template_wins_whatever_was_mapped_first(string path, string template)
    {
        string[] templates = ["{*rest}", "{any}", "{name:alpha}", "{id:long}", "{id:int}", "{id:int:min(1)}", "{flag:bool}", "7"];
        foreach (var order in new[] { templates, [.. templates.Reverse()] })
        {
            var map = new ResourceMap();
            foreach (var one in order) { map.At(one); }

            map.Match(Requests.Message(RequestCode.Get, path).Options)!.Template.Should().Be(template);
        }
    }

    [Fact]
    public void Goes_back_to_a_wider_template_if_the_rest_of_the_path_does_not_fit()
    {
        var map = new ResourceMap();
        map.At("{id:int}/a");
        map.At("{name}/b");

        Requests.Routed(map, "/5/b")["name"].Should().Be("5");
        Requests.Routed(map, "/5/a")["id"].Should().Be("5");
    }

    [Fact]
    public void Refuses_a_template_that_differs_only_in_how_the_constraints_are_written()
    {
        var map = new ResourceMap();
        var first = map.At("{id:int:range(1,9)}");

        map.Invoking(one => one.At("{id:range(1, 9):int}")).Should().Throw<ArgumentException>()
            .WithMessage("'/{id:range(1, 9):int}' differs from the mapped template '/{id:int:range(1,9)}' only in the names of placeholders or in how their constraints are written.");
        map.At("{id:int:range(1,9)}").Should().BeSameAs(first);
        first.Template.Should().Be("/{id:int:range(1,9)}");
    }

    [Fact]
    public void Removes_the_template_with_the_same_constraints_only()
    {
        var map = new ResourceMap();
        map.At("{id:int}");
        map.At("{id:long}");

        map.Remove("{id:uint}").Should().BeFalse();
        map.Remove("{id:int}").Should().BeTrue();

        map.List().Select(resource => resource.Template).Should().Equal("/{id:long}");
        map.Remove("{id:long}").Should().BeTrue();
        map.List().Should().BeEmpty();
    }

    [Theory]
    [InlineData("int"), InlineData("double"), InlineData("guid"), InlineData("length(1,3)"), InlineData("alpha")]
    public void Matches_the_longest_segments_without_allocation(string constraint)
    {
        var map = new ResourceMap();
        map.At($"{{id:{constraint}}}");
        var options = Requests.Message(RequestCode.Get, "/" + new string('9', 255)).Options;

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 100; i++) { map.Match(options); }
        });

        allocated.Should().BeLessThan(100);
    }

    private static bool IsMatched(ResourceMap map, string value) => map.Match(Requests.Message(RequestCode.Get, $"/{value}").Options) is not null;
}
