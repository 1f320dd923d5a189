using System.Globalization;
using CoAP.Options;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>Arguments of typed handlers from the path, the query and the rest of a request.</summary>
public sealed class TypedArgumentTests : IAsyncLifetime
{
    private readonly BoundServer _server = BoundServer.With(map =>
    {
        map.MapCoapGet("/int/{id:int}", (int id) => $"{id}");
        map.MapCoapGet("/free/{id}", (int id) => $"{id}");
        map.MapCoapGet("/guid/{id}", (Guid id) => $"{id:N}");
        map.MapCoapGet("/files/{*path}", (string path) => path);
        map.MapCoapGet("/unit/{unit}", (Unit unit) => $"{unit}");
        map.MapCoapGet("/search", (string text, int limit = 10, Unit unit = Unit.Volts) => $"{text} {limit} {unit}");
        map.MapCoapGet("/page", (int? from, string? after) => $"{from?.ToString(CultureInfo.InvariantCulture) ?? "none"} {after ?? "none"}");
        map.MapCoapGet("/flag", (bool verbose = false) => $"{verbose}");
        map.MapCoapGet("/double", (double level) => level.ToString(CultureInfo.InvariantCulture));
        map.MapCoapGet("/many", (int[] id, IReadOnlyList<string> tag) => $"{string.Join('+', id)} {string.Join('+', tag)}");
        map.MapCoapGet("/named", ([FromQuery("max-age")] int age) => $"{age}");
        map.MapCoapGet("/from/{id}", ([FromRoute("id")] string name, [FromQuery] string? id) => $"{name} {id}");
        map.MapCoapGet("/peer", (IncomingRequest request, IChannel channel, PeerIdentity peer) => $"{request.Peer == peer && channel.Peer == peer}");
        map.MapCoapGet("/user", (System.Security.Claims.ClaimsPrincipal user, PeerCredentials? credentials) =>
            $"{user.Identity?.IsAuthenticated ?? false} {credentials is null}");
        map.MapCoapGet("/option", (Options.Accept? accept) => $"{accept?.Value}");
        map.MapCoapGet("/tag", (IReadOnlyList<ETag> tags, CancellationToken token) => $"{tags.Count} {token.IsCancellationRequested}");
        map.MapCoapGet("/required", (ETag tag) => $"{tag.ValueLength}");
        map.Group("devices/{device}").MapCoapGet("{id}", (string device, int id) => $"{device} {id}");
        map.MapCoapGet("/method/{id}", Doubled);
    });

    public Task InitializeAsync() => Task.CompletedTask;

    public Task DisposeAsync() => _server.DisposeAsync().AsTask();

    [Theory]
    [InlineData("/int/7", "7")]
    [InlineData("/free/-7", "-7")]
    [InlineData("/guid/3f2504e0-4f89-11d3-9a0c-0305e82c3301", "3f2504e04f8911d39a0c0305e82c3301")]
    [InlineData("/files/a/b", "a/b")]
    [InlineData("/unit/volts", "Volts")]
    [InlineData("/search?text=a", "a 10 Volts")]
    [InlineData("/search?limit=3&text=a%26b&unit=watts", "a&b 3 Watts")]
    [InlineData("/page", "none none")]
    [InlineData("/page?from=0&after=x", "0 x")]
    [InlineData("/flag", "False")]
    [InlineData("/flag?verbose", "True")]
    [InlineData("/flag?verbose=false", "False")]
    [InlineData("/double?level=1.5e3", "1500")]
    [InlineData("/many?id=1&tag=a&id=2&idle=3&tag=b", "1+2 a+b")]
    [InlineData("/named?max-age=60", "60")]
    [InlineData("/from/x?id=y", "x y")]
    [InlineData("/peer", "True")]
    [InlineData("/user", "False True")]
    [InlineData("/option", "")]
    [InlineData("/tag", "0 False")]
    [InlineData("/devices/d1/5", "d1 5")]
    [InlineData("/method/4", "8")]
    public async Task An_argument_has_the_value_in_the_request(string path, string expected) =>
        (await _server.GetAsync(path)).EnsureSuccess().PayloadText.Should().Be(expected);

    [Theory]
    [InlineData("/free/abc", "The path value 'id' is 'abc', which is not a valid int.")]
    [InlineData("/free/99999999999", "The path value 'id' is '99999999999', which is not a valid int.")]
    [InlineData("/guid/1", "The path value 'id' is '1', which is not a valid Guid.")]
    [InlineData("/unit/1", "The path value 'unit' is '1', which is not a valid Unit.")]
    [InlineData("/unit/Watts,Volts", "The path value 'unit' is 'Watts,Volts', which is not a valid Unit.")]
    [InlineData("/search?text=a&limit=", "The query argument 'limit' is '', which is not a valid int.")]
    [InlineData("/page?from=1.5", "The query argument 'from' is '1.5', which is not a valid int.")]
    [InlineData("/flag?verbose=maybe", "The query argument 'verbose' is 'maybe', which is not a valid bool.")]
    [InlineData("/double?level=1,5", "The query argument 'level' is '1,5', which is not a valid double.")]
    [InlineData("/many?id=1&id=x", "The query argument 'id' is 'x', which is not a valid int.")]
    [InlineData("/named?max-age=a%0D%0Ab", "The query argument 'max-age' is 'a  b', which is not a valid int.")]
    [InlineData("/devices/d1/x", "The path value 'id' is 'x', which is not a valid int.")]
    [InlineData("/search", "The query argument 'text' of type string is missing.")]
    [InlineData("/required", "Option 4 (ETag) is missing or has an invalid value.")]
    public async Task A_wrong_argument_gets_4_00_and_a_text_that_names_it(string path, string detail)
    {
        var response = await _server.GetAsync(path);

        response.Code.Should().Be(ResponseCode.BadRequest);
        response.Problem!.Detail!.Text.Should().Be(detail);
    }

    [Fact]
    public async Task A_value_that_the_constraint_excludes_gets_4_04() =>
        (await _server.GetAsync("/int/abc")).Code.Should().Be(ResponseCode.NotFound);

    [Fact]
    public async Task A_long_value_is_named_in_the_text()
    {
        var response = await _server.GetAsync("/free/" + new string('x', 200));

        response.Problem!.Detail!.Text.Should().Be($"The path value 'id' is '{new string('x', 200)}', which is not a valid int.");
    }

    private static string Doubled(int id) => $"{2 * id}";
}
