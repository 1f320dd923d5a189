using CoAP.TestSupport;

namespace CoAP.Tests.Resources;

/// <summary>Steps of resources and of groups, and an object per request.</summary>
public sealed class ResourceGroupTests : IDisposable
{
    private readonly Wire _wire = new(new ManualClock());
    private readonly List<string> _order = [];
    private LaneEnd? _server;

    public void Dispose() => _server?.Dispose();

    [Theory]
    [InlineData("{*rest}", "'{*rest}' cannot be the prefix of a group: a wildcard takes all remaining segments.*")]
    [InlineData("a/{id", "Template 'a/{id' cannot be mapped*")]
    public void Refuses_a_wrong_prefix(string prefix, string message) =>
        new ResourceMap().Invoking(map => map.Group(prefix)).Should().Throw<ArgumentException>().WithMessage(message);

    [Theory]
    [InlineData("a", "b", "/a/b")]
    [InlineData("/a/", "/b", "/a/b")]
    [InlineData("a", "", "/a")]
    [InlineData("a", "/", "/a")]
    [InlineData("", "b", "/b")]
    [InlineData("/", "", "/")]
    [InlineData("a", "b/", "/a/b/")]
    [InlineData("a/{x:int}", "{y}", "/a/{x:int}/{y}")]
    public void Joins_prefix_and_template(string prefix, string template, string full) =>
        new ResourceMap().Group(prefix).At(template).Template.Should().Be(full);

    [Fact]
    public void Refuses_a_resource_that_the_steps_of_the_group_would_not_reach()
    {
        var map = new ResourceMap();
        map.At("a/b");
        var outer = map.Group("a");
        var nested = outer.Group("x").At("y");

        outer.Invoking(group => group.At("b")).Should().Throw<InvalidOperationException>()
            .WithMessage("'/a/b' is mapped outside the group '/a', so the steps of the group would not apply. Map it through one group only.");
        map.Group("a").Invoking(group => group.At("x/y")).Should().Throw<InvalidOperationException>();
        outer.At("x/y").Should().BeSameAs(nested).And.BeSameAs(map.At("a/x/y"));
    }

    [Fact]
    public async Task Runs_the_steps_of_server_groups_and_resource_from_outside_to_inside()
    {
        Serve(map =>
        {
            var outer = map.Group("a");
            var inner = outer.Group("{id}");
            inner.At("r").Get(_ => Note("handler"), HandlerMode.Inline).Use(Around("resource 1")).Use(Around("resource 2"));
            inner.Use(Around("inner"));
            outer.Use(Around("outer 1")).Use(Around("outer 2"));
        }, Around("server"));

        (await Ask("/a/7/r")).PayloadText.Should().Be("handler");

        _order.Should().Equal("server", "outer 1", "outer 2", "inner", "resource 1", "resource 2", "handler");
    }

    [Fact]
    public async Task A_step_sees_requests_to_its_resource_only_and_also_those_that_no_handler_answers()
    {
        Serve(map =>
        {
            map.At("b").Get(_ => Note("b"), HandlerMode.Inline);
            map.At("a").Put(_ => Note("a"), HandlerMode.Inline).Use(Around("step"));
        });

        (await Ask("/b")).Code.Should().Be(ResponseCode.Content);
        (await Ask("/a")).Code.Should().Be(ResponseCode.MethodNotAllowed);
        (await Ask("/c")).Code.Should().Be(ResponseCode.NotFound);

        _order.Should().Equal("b", "step");
    }

    [Fact]
    public async Task Steps_see_the_payload_of_a_value_whoever_answers_with_it()
    {
        var seen = new List<string>();
        RequestDelegate See(RequestDelegate next) => async (request, cancellationToken) =>
        {
            var response = await next(request, cancellationToken);
            seen.Add(response.PayloadText);
            return response;
        };
        Serve(map =>
        {
            map.At("handler").Get(_ => Response.Content<string>("value"), HandlerMode.Inline).Use(See);
            map.At("step").Get(_ => Response.Changed, HandlerMode.Inline).Use(See).Use(_ => (_, _) => new(Response.Content<string>("of step")));
        }, See);

        (await Ask("/handler")).PayloadText.Should().Be("value");
        (await Ask("/step")).PayloadText.Should().Be("of step");
        seen.Should().Equal("value", "value", "of step", "of step");
    }

    [Theory]
    [InlineData("/throws", "5.00")]
    [InlineData("/null", "5.00")]
    [InlineData("/coap", "4.01")]
    public async Task An_exception_of_a_step_becomes_a_response(string path, string code)
    {
        Serve(map =>
        {
            map.At("throws").Use(_ => (_, _) => throw new InvalidOperationException("secret"));
            map.At("null").Use(_ => (_, _) => new((CoapResponse)null!));
            map.At("coap").Use(_ => (_, _) => throw new CoapResponseException(ResponseCode.Unauthorized));
        });

        var response = await Ask(path);

        response.Code.ToString().Should().Be(code);
        response.PayloadText.Should().NotContain("secret");
    }

    [Fact]
    public void Refuses_a_step_that_returns_null_at_the_call()
    {
        var map = new ResourceMap();

        map.At("a").Invoking(one => one.Use(_ => null!)).Should().Throw<InvalidOperationException>().WithMessage("Step 1 of '/a' returned null.*");
        map.Group("g").Use(next => next).Invoking(one => one.Use(_ => null!)).Should().Throw<InvalidOperationException>().WithMessage("Step 2 of '/g'*");
        map.At("a").HasSteps.Should().BeFalse();
        map.Group("g").At("x").DependsOnPeer.Should().BeFalse();
    }

    [Fact]
    public void Only_a_step_that_depends_on_the_peer_makes_the_resource_depend_on_it()
    {
        var map = new ResourceMap();
        var group = map.Group("g").Use(next => next, dependsOnPeer: false);
        var (one, other) = (group.At("1").Use(next => next), group.At("2"));

        (one.DependsOnPeer, other.DependsOnPeer).Should().Be((true, false));
        group.Use(next => next);
        (one.DependsOnPeer, other.DependsOnPeer).Should().Be((true, true));
    }

    [Fact]
    public async Task Creates_an_object_for_each_request_and_answers_5_00_if_there_is_none()
    {
        var created = 0;
        Serve(map => map.Group("g").Add("{id}", request => request["id"] == "none" ? null! : new Numbered(++created)));

        (await Ask("/g/x")).PayloadText.Should().Be("1");
        (await Ask("/g/y")).PayloadText.Should().Be("2");
        (await Ask("/g/none")).Code.Should().Be(ResponseCode.InternalServerError);
    }

    private void Serve(Action<ResourceMap> map, params Func<RequestDelegate, RequestDelegate>[] steps) => _server = LaneEnd.Server(_wire, map, steps: steps);

    private async Task<CoapResponse> Ask(string path)
    {
        using var client = LaneEnd.Client(_wire, name: $"client{path}");
        var answer = client.Get(path);
        _wire.RunUntilIdle();
        return await answer;
    }

    private Func<RequestDelegate, RequestDelegate> Around(string name) => next => (request, cancellationToken) =>
    {
        _order.Add(name);
        return next(request, cancellationToken);
    };

    private CoapResponse Note(string name)
    {
        _order.Add(name);
        return Response.Content(name);
    }

    private sealed class Numbered(int number) : CoapResource
    {
        protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) => new(Response.Content($"{number}"));
    }
}
