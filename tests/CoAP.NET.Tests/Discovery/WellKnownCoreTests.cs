using CoAP.Discovery;
using CoAP.Options;
using CoAP.Resources;
using CoAP.Tests.Resources;

namespace CoAP.Tests.Discovery;

public sealed class WellKnownCoreTests
{
    private const string Sensors = "</sensors>;title=\"Sensor Index\";ct=40";
    private const string Light = "</sensors/light>;rt=\"light-lux core.sen-light\";if=\"sensor\"";
    private const string Temperature = "</sensors/temp>;rt=\"temperature-c\";if=\"sensor\";obs";
    private const string Firmware = "</firmware/v2.1>;rt=\"firmware\";sz=262144";

    [Theory]
    [Trait("RFC", "6690 4.1"), Trait("RFC", "6690 3.1"), Trait("RFC", "6690 3.2"), Trait("RFC", "6690 3.3"), Trait("RFC", "7641 6"), Trait("RFC", "7252 7.2")]
    [InlineData("", $"{Firmware},{Sensors},{Light},{Temperature}")]
    [InlineData("rt=light-lux", Light)]
    [InlineData("rt=core.sen-light", Light)]
    [InlineData("rt=light", "")]
    [InlineData("rt=light*", Light)]
    [InlineData("rt=core.*", Light)]
    [InlineData("rt=*", $"{Firmware},{Light},{Temperature}")]
    [InlineData("if=sensor", $"{Light},{Temperature}")]
    [InlineData("if=sensor&rt=temperature-c", Temperature)]
    [InlineData("if=sensor&rt=firmware", "")]
    [InlineData("href=/sensors", Sensors)]
    [InlineData("href=/sensors*", $"{Sensors},{Light},{Temperature}")]
    [InlineData("href=/sensors/*", $"{Light},{Temperature}")]
    [InlineData("ct=40", Sensors)]
    [InlineData("sz=262144", Firmware)]
    [InlineData("title=Sensor Index", Sensors)]
    [InlineData("title=Sensor*", Sensors)]
    [InlineData("title=sensor*", "")]
    [InlineData("obs", Temperature)]
    [InlineData("rel=hosts&ct=40", Sensors)]
    [InlineData("foo=bar", "")]
    public async Task Answers_the_links_that_fit_all_filters(string query, string links)
    {
        var map = Example();

        var response = await Discover(map, query);

        response.Code.Should().Be(ResponseCode.Content);
        response.ContentFormat.Should().Be(40);
        response.PayloadText.Should().Be(links);
    }

    [Theory]
    [Trait("RFC", "6690 4.1"), Trait("RFC", "7252 5.9.2.1")]
    [InlineData("=sensor")]
    [InlineData("=")]
    [InlineData("r t=light")]
    [InlineData("if=sensor&=x")]
    [InlineData("a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q")]
    public async Task Answers_4_00_to_a_malformed_filter(string query)
    {
        var map = Example();

        var response = await Discover(map, query);

        response.Code.Should().Be(ResponseCode.BadRequest);
    }

    [Fact]
    public async Task Lists_what_can_be_asked_for_and_is_not_hidden()
    {
        var map = new ResourceMap();
        WellKnownCore.MapOn(map);
        map.At("").Get(_ => Response.Changed);
        map.At("collection/").Post(_ => Response.Changed);
        map.At("sensors/{id}").Get(_ => Response.Changed);
        map.At("files/{*path}").Get(_ => Response.Changed);
        map.At("secret").Get(_ => Response.Changed).Hidden();
        map.At("without-methods");

        var response = await Discover(map, "");

        response.PayloadText.Should().Be("</>,</collection/>");
    }

    [Fact]
    [Trait("RFC", "7252 6.5")]
    public async Task Percent_encodes_targets_and_escapes_quotes()
    {
        var map = new ResourceMap();
        WellKnownCore.MapOn(map);
        map.At("a b/größe/x>y,z").Get(_ => Response.Changed).WithLink(title: "say \"hi\" \\ bye");

        var response = await Discover(map, "");

        response.PayloadText.Should().Be("</a%20b/gr%C3%B6%C3%9Fe/x%3Ey,z>;title=\"say \\\"hi\\\" \\\\ bye\"");
    }

    [Fact]
    [Trait("RFC", "7252 7.2.1")]
    public async Task Names_the_formats_once_and_those_of_the_link_before_those_produced()
    {
        var map = new ResourceMap();
        WellKnownCore.MapOn(map);
        map.At("many").Get(_ => Response.Changed).Produces(0, 50, 60);
        map.At("told").Get(_ => Response.Changed).Produces(0, 50, 60).WithLink(ct: "50");

        var all = await Discover(map, "");
        var json = await Discover(map, "ct=60");

        all.PayloadText.Should().Be("</many>;ct=\"0 50 60\",</told>;ct=50");
        json.PayloadText.Should().Be("</many>;ct=\"0 50 60\"");
    }

    [Fact]
    public async Task Follows_changes_and_keeps_the_answer_in_between()
    {
        var map = Example();

        var first = await Discover(map, "");
        var second = await Discover(map, "");
        map.Remove("sensors/light");
        var third = await Discover(map, "");
        map.At("firmware/v2.1").Hidden();
        var fourth = await Discover(map, "");

        second.Should().BeSameAs(first);
        third.PayloadText.Should().Be($"{Firmware},{Sensors},{Temperature}");
        fourth.PayloadText.Should().Be($"{Sensors},{Temperature}");
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Gives_way_to_the_users_own_mapping(bool isMappedFirst)
    {
        var map = new ResourceMap();
        if (isMappedFirst) { map.At("/.well-known/core").Get(_ => Response.Content("mine")); }
        WellKnownCore.MapOn(map);
        if (!isMappedFirst) { map.At("/.well-known/core").Get(_ => Response.Content("mine")); }

        var response = await Discover(map, "");

        response.PayloadText.Should().Be("mine");
    }

    [Fact]
    public void Can_be_removed()
    {
        var map = Example();

        map.Remove(".well-known/core").Should().BeTrue();

        Dispatch.For(Requests.Message(RequestCode.Get, "/.well-known/core"), map).Refusal!.Code.Should().Be(ResponseCode.NotFound);
    }

    [Theory]
    [InlineData(2, 40, "4.05")]
    [InlineData(1, 50, "4.06")]
    [InlineData(1, 40, null)]
    public void Has_one_method_and_one_format(byte method, uint accept, string? refusal)
    {
        var message = Requests.Message(new CoapCode(method), "/.well-known/core", new Accept(accept));

        var decision = Dispatch.For(message, Example());

        decision.Refusal?.Code.ToString().Should().Be(refusal);
        (decision.Handler is null).Should().Be(refusal is not null);
    }

    // The resources of the examples in RFC 6690, sections 3 and 5.
    private static ResourceMap Example()
    {
        var map = new ResourceMap();
        WellKnownCore.MapOn(map);
        map.At("sensors").Get(_ => Response.Changed).Produces(40).WithLink(title: "Sensor Index");
        map.At("sensors/temp").Get(_ => Response.Changed).WithLink(rt: "temperature-c", interfaceDescription: "sensor", obs: true);
        map.At("sensors/light").Get(_ => Response.Changed).WithLink(rt: "light-lux core.sen-light", interfaceDescription: "sensor");
        map.At("firmware/v2.1").Get(_ => Response.Changed).WithLink(rt: "firmware", sz: 262_144);
        return map;
    }

    private static async Task<CoapResponse> Discover(ResourceMap map, string query)
    {
        CoapOption[] arguments = query.Length == 0 ? [] : [.. query.Split('&').Select(argument => new UriQuery(argument))];
        var request = Requests.Routed(map, Requests.Message(RequestCode.Get, "/.well-known/core", arguments));
        return await Dispatch.For(request.Message, map).Handler!.Invoke(request, CancellationToken.None);
    }
}
