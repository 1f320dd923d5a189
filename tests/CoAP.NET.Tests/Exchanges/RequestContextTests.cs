using System.Security.Claims;

namespace CoAP.Tests.Exchanges;

/// <summary>What steps and handlers keep with a request.</summary>
public sealed class RequestContextTests
{
    [Theory, InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_step_passes_items_services_and_a_user_to_the_handler(string scheme)
    {
        var services = new NoServices();
        await using var pair = new InMemoryPair();
        pair.Server.Use(next => (request, cancellationToken) =>
        {
            request.Items["tenant"] = "north";
            (request.Services, request.User) = (services, new ClaimsPrincipal(new ClaimsIdentity([new Claim(ClaimTypes.Name, "operator")], "step")));
            return next(request, cancellationToken);
        });
        pair.Server.Resources.At("who").Get(request =>
            Response.Content($"{request.Items["tenant"]} {request.User.Identity!.Name} {ReferenceEquals(request.Services, services)}"));

        (await pair.AskAsync(scheme, "who")).PayloadText.Should().Be("north operator True");
    }

    [Theory, InlineData("coap"), InlineData("coap+tcp")]
    public async Task A_request_in_blocks_keeps_what_a_step_has_set(string scheme)
    {
        await using var pair = new InMemoryPair();
        pair.Server.Use(next => (request, cancellationToken) =>
        {
            request.Items["seen"] = (int)(request.Items.TryGetValue("seen", out var seen) ? seen! : 0) + 1;
            return next(request, cancellationToken);
        });
        pair.Server.Resources.At("big").Post(request => Response.Content($"{request.Payload.Length} {request.Items["seen"]}"));

        var answer = await pair.Client.PostAsync($"{scheme}://server/big", new byte[5000]);

        answer.PayloadText.Should().Be("5000 1");
    }

    [Fact]
    public async Task Without_credentials_the_user_is_anonymous_and_there_are_no_services()
    {
        await using var pair = new InMemoryPair();
        pair.Server.Resources.At("who").Get(request =>
            Response.Content($"{request.User.Identity!.IsAuthenticated} {request.User.Claims.Any()} {request.Items.Count} {request.Services is null}"));

        (await pair.AskAsync("coap", "who")).PayloadText.Should().Be("False False 0 True");
    }

    [Theory, InlineData("sensors/17", "/sensors/{id}"), InlineData("nowhere", "none")]
    public async Task A_step_sees_the_template(string path, string template)
    {
        var seen = "";
        await using var pair = new InMemoryPair();
        pair.Server.Use(next => (request, cancellationToken) =>
        {
            seen = request.Template ?? "none";
            return next(request, cancellationToken);
        });
        pair.Server.Resources.At("sensors/{id}").Get(_ => Response.Content("20"));

        await pair.AskAsync("coap", path);

        seen.Should().Be(template);
    }

    [Fact]
    public async Task Two_requests_have_different_items()
    {
        await using var pair = new InMemoryPair();
        pair.Server.Resources.At("count").Get(request =>
        {
            request.Items["one"] = 1;
            return Response.Content($"{request.Items.Count}");
        });

        await pair.AskAsync("coap", "count");

        (await pair.AskAsync("coap", "count")).PayloadText.Should().Be("1");
    }

    [Fact]
    public async Task A_user_that_is_null_is_refused_with_an_explanation()
    {
        await using var pair = new InMemoryPair();
        pair.Server.Resources.At("who").Get(request =>
        {
            try
            {
                request.User = null!;
                return Response.Changed;
            }
            catch (ArgumentNullException exception) { return Response.Content(exception.Message); }
        });

        (await pair.AskAsync("coap", "who")).PayloadText.Should().Contain("The user is null");
    }

    private sealed class NoServices : IServiceProvider
    {
        public object? GetService(Type serviceType) => null;
    }
}
