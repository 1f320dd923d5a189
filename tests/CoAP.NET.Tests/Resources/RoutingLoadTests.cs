using CoAP.Options;
using CoAP.Resources;
using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>What matching costs, and that it stays right while the map changes.</summary>
public sealed class RoutingLoadTests
{
    [Fact]
    public void Matching_allocates_nothing()
    {
        var map = new ResourceMap();
        foreach (var template in new[] { "a/{x}/c", "a/b/d", "files/{*path}", "plain/path" }) { map.At(template); }
        string[] paths = ["/a/b/c", "/a/b/d", "/files/x/y/z", "/plain/path", "/a/b/x", "/"];
        var requests = Array.ConvertAll(paths, path => Requests.Message(RequestCode.Get, path).Options);

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                foreach (var options in requests) { map.Match(options); }
            }
        });

        allocated.Should().Be(0);
    }

    [Fact]
    public void Deciding_allocates_nothing()
    {
        var map = new ResourceMap();
        map.At("a/{x}").Put(_ => Response.Changed).Consumes(0, 50).Produces(60);
        var path = Requests.Path("/a/b");
        var taken = Requests.Message(RequestCode.Put, [.. path, new ContentFormat(50), new Accept(60)], "{}"u8.ToArray());
        var refused = Requests.Message(RequestCode.Put, [.. path, new ContentFormat(51), new Accept(60)], "{}"u8.ToArray());
        Dispatch.For(taken, map).Handler.Should().NotBeNull();
        Dispatch.For(refused, map).Refusal.Should().NotBeNull();

        var allocated = Allocations.Of(() =>
        {
            for (var i = 0; i < 1_000; i++)
            {
                Dispatch.For(taken, map);
                Dispatch.For(refused, map);
            }
        });

        allocated.Should().Be(0);
    }

    [Theory]
    [InlineData("a")]
    [InlineData("")]
    [InlineData("..")]
    public void A_hostile_path_that_could_branch_at_each_of_sixty_levels_comes_to_an_end(string segment)
    {
        var map = new ResourceMap();
        // Each level offers all three ways, and each way ends in a dead end for this path: with back-tracking this would be 3^60 ways.
        for (var depth = 0; depth < 60; depth++)
        {
            var start = string.Concat(Enumerable.Repeat("a/", depth));
            map.At(start + "{*rest}");
            map.At(start + "{x}/end");
        }
        var path = Enumerable.Repeat(Requests.Segment(segment), 10_000);

        var hostile = Requests.Message(RequestCode.Get, [.. path, Requests.Segment("..")], default).Options;

        map.Match(hostile).Should().BeNull();
    }

    [Fact]
    public async Task Matching_goes_on_while_resources_come_and_go()
    {
        var map = new ResourceMap();
        map.At("steady/{id}");
        map.At("steady/literal");
        var literal = Requests.Message(RequestCode.Get, "/steady/literal").Options;
        var value = Requests.Message(RequestCode.Get, "/steady/7").Options;
        using var stop = new CancellationTokenSource();

        var writers = Enumerable.Range(0, 2).Select(writer => Task.Run(() => ComeAndGo(map, writer))).ToArray();
        var reader = Task.Run(() => CountWrongMatches(map, literal, value, stop.Token));
        await Task.WhenAll(writers);
        await stop.CancelAsync();

        (await reader).Should().Be(0);
        map.List().Select(resource => resource.Template).Should().Equal("/steady/literal", "/steady/{id}");
    }

    private static void ComeAndGo(ResourceMap map, int writer)
    {
        for (var i = 0; i < 5_000; i++)
        {
            var template = $"steady/w{writer}-{i % 50}/{{x}}";
            map.At(template).Get(_ => Response.Changed);
            map.Remove(template);
        }
    }

    private static int CountWrongMatches(ResourceMap map, OptionSet literal, OptionSet value, CancellationToken stop)
    {
        var wrong = 0;
        do
        {
            if (map.Match(literal)?.Template != "/steady/literal") { wrong++; }
            if (map.Match(value)?.Template != "/steady/{id}") { wrong++; }
        }
        while (!stop.IsCancellationRequested);
        return wrong;
    }
}
