using CoAP.Options;

namespace CoAP.Tests.Resources;

public sealed class ResourceMapTests
{
    private static readonly string[] Table =
    [
        "/", "hello", "hello/", "//", "sensors/{id}", "sensors/all", "sensors/{id}/value", "sensors/all/names", "files/{*path}",
        "files/readme", "files/{name}/info", "a/{x}/c", "a/b/d", "{device}/state", "größe/°C",
    ];

    [Theory]
    [InlineData("/", "/")]
    [InlineData("/hello", "/hello")]
    [InlineData("/hello/", "/hello/")]
    [InlineData("/hello//", null)]
    [InlineData("/Hello", null)]
    [InlineData("/hell", null)]
    [InlineData("//", "//")]
    [InlineData("///", null)]
    [InlineData("/sensors", null)]
    [InlineData("/sensors/", null)]
    [InlineData("/sensors/7", "/sensors/{id}")]
    [InlineData("/sensors/all", "/sensors/all")]
    [InlineData("/sensors/all/names", "/sensors/all/names")]
    [InlineData("/sensors/all/value", "/sensors/{id}/value")]
    [InlineData("/sensors/state", "/sensors/{id}")]
    [InlineData("/sensors/..", null)]
    [InlineData("/files", null)]
    [InlineData("/files/", "/files/{*path}")]
    [InlineData("/files/readme", "/files/readme")]
    [InlineData("/files/readme/x", "/files/{*path}")]
    [InlineData("/files/x/info", "/files/{name}/info")]
    [InlineData("/files/x/info/y", "/files/{*path}")]
    [InlineData("/files/../secret", null)]
    [InlineData("/files/a/.", null)]
    [InlineData("/files/...", "/files/{*path}")]
    [InlineData("/files/state", "/files/{*path}")]
    [InlineData("/a/b/c", "/a/{x}/c")]
    [InlineData("/a/b/d", "/a/b/d")]
    [InlineData("/a/state", "/{device}/state")]
    [InlineData("/größe/°C", "/größe/°C")]
    [InlineData("/nowhere", null)]
    public void Finds_the_resource_of_a_path(string path, string? template)
    {
        var map = new ResourceMap();
        foreach (var mapped in Table) { map.At(mapped); }

        var match = map.Match(Requests.Message(RequestCode.Get, path).Options);

        match?.Template.Should().Be(template);
        (match is null).Should().Be(template is null);
    }

    [Fact]
    [Trait("RFC", "7252 6.4")]
    public void Tells_the_root_from_a_single_empty_segment()
    {
        var map = new ResourceMap();
        var root = map.At("");

        map.At("/").Should().BeSameAs(root);
        map.Match(Requests.Message(RequestCode.Get, "/").Options).Should().BeSameAs(root);
        map.Match(Requests.Message(RequestCode.Get, [new UriPath("")], default).Options).Should().BeNull();
    }

    [Fact]
    public void Keeps_a_slash_within_a_segment_from_becoming_two()
    {
        var map = new ResourceMap();
        map.At("a/b");
        map.At("x/{name}");
        map.At("y/{*path}");

        map.Match(Requests.Message(RequestCode.Get, [new UriPath("a/b")], default).Options).Should().BeNull();
        Requests.Routed(map, Requests.Message(RequestCode.Get, [new UriPath("x"), new UriPath("a/b")], default))["name"].Should().Be("a/b");
        map.Match(Requests.Message(RequestCode.Get, [new UriPath("y"), new UriPath("../b")], default).Options).Should().BeNull();
    }

    [Fact]
    public void Answers_the_same_resource_for_the_same_template()
    {
        var map = new ResourceMap();

        var resource = map.At("sensors/{id}");

        map.At("/sensors/{id}").Should().BeSameAs(resource);
        map.At("sensors/{id}/value").Should().NotBeSameAs(resource);
    }

    [Theory]
    [InlineData("sensors/{id}", "sensors/{name}")]
    [InlineData("files/{*path}", "files/{*rest}")]
    [InlineData("{a}/{b}", "{b}/{a}")]
    public void Refuses_templates_that_differ_only_in_names(string first, string second)
    {
        var map = new ResourceMap();
        map.At(first);

        var mapping = () => map.At(second);
        var removing = () => map.Remove(second);

        mapping.Should().Throw<ArgumentException>()
            .WithMessage($"'/{second}' differs from the mapped template '/{first}' only in the names of placeholders.");
        removing.Should().Throw<ArgumentException>();
    }

    [Fact]
    public void Forgets_what_is_removed_and_nothing_else()
    {
        var map = new ResourceMap();
        foreach (var template in Table) { map.At(template); }

        map.Remove("sensors/{id}").Should().BeTrue();
        map.Remove("sensors/{id}").Should().BeFalse();
        map.Remove("nowhere").Should().BeFalse();

        map.Match(Requests.Message(RequestCode.Get, "/sensors/7").Options).Should().BeNull();
        map.List().Should().HaveCount(Table.Length - 1);
        map.At("sensors/{name}").Template.Should().Be("/sensors/{name}");
    }

    [Fact]
    public void Holds_thousands_of_resources_side_by_side()
    {
        var map = new ResourceMap();
        for (var i = 0; i < 20_000; i++) { map.At($"devices/{i}"); }
        for (var i = 0; i < 20_000; i += 2) { map.Remove($"devices/{i}"); }

        for (var i = 0; i < 20_000; i += 97)
        {
            var found = map.Match(Requests.Message(RequestCode.Get, $"/devices/{i}").Options)?.Template;
            found.Should().Be(i % 2 == 0 ? null : $"/devices/{i}");
        }
        map.List().Should().HaveCount(10_000);
    }

    [Fact]
    public void Replaces_a_resource_of_its_own_by_the_users()
    {
        var map = new ResourceMap();
        map.AddBuiltIn("x", resource => resource.Get(_ => Response.Changed));

        var mapped = map.At("x").Get(_ => Response.Deleted);
        map.AddBuiltIn("x", resource => resource.Get(_ => Response.Changed));

        map.Match(Requests.Message(RequestCode.Get, "/x").Options).Should().BeSameAs(mapped);
        map.List().Should().Equal(mapped);
    }
}
