using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>Classes of resources are created from the services of each request.</summary>
public sealed class MapCoapResourceTests : IAsyncLifetime
{
    private readonly MemoryHost _host = new();

    public async Task InitializeAsync()
    {
        _host.Services.AddScoped<Name>().AddSingleton(new List<string>());
        await _host.StartAsync();
    }

    public async Task DisposeAsync() => await _host.DisposeAsync();

    [Fact]
    public void A_class_without_a_public_constructor_fails_at_the_call() =>
        _host.Host.Invoking(host => host.MapCoapResource<Hidden>("x")).Should().Throw<InvalidOperationException>();

    [Fact]
    public async Task A_service_that_is_not_registered_is_named_in_the_log()
    {
        _host.Host.MapCoapResource<Unresolvable>("x");

        (await _host.GetAsync("x")).Code.Should().Be(ResponseCode.InternalServerError);

        _host.Log.Exceptions.Should().Contain(exception => exception.Message.Contains(nameof(IFormatProvider)));
    }

    [Fact]
    public async Task The_constructor_gets_services_and_the_object_is_disposed_of_with_the_request()
    {
        _host.Host.MapCoapResource<Greeting>("greetings/{name}");

        (await _host.GetAsync("greetings/Ada")).PayloadText.Should().Be("Hello, Ada!");
        (await _host.GetAsync("greetings/Bob")).PayloadText.Should().Be("Hello, Bob!");

        _host.Host.Services.GetRequiredService<List<string>>().Should().Equal("Ada", "Bob");
    }

    [Fact]
    public async Task A_group_maps_classes_below_its_prefix()
    {
        _host.Host.MapCoapGroup("v1").MapCoapResource<Greeting>("greetings/{name}");

        (await _host.GetAsync("v1/greetings/Ada")).PayloadText.Should().Be("Hello, Ada!");
    }

    private sealed class Name
    {
        public string Value { get; set; } = "";
    }

    private sealed class Greeting(Name name, List<string> ended) : CoapResource, IDisposable
    {
        public void Dispose() => ended.Add(name.Value);

        protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken)
        {
            name.Value = request["name"];
            return new(Response.Content($"Hello, {name.Value}!"));
        }
    }

    private sealed class Hidden : CoapResource
    {
        private Hidden()
        {
        }
    }

    private sealed class Unresolvable(IFormatProvider format) : CoapResource
    {
        protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) => new(Response.Content($"{format}"));
    }
}
