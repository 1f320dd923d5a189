using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting.Tests.Binding;

/// <summary>Services as arguments of typed handlers.</summary>
public sealed class TypedServiceTests
{
    [Fact]
    public async Task Each_request_has_a_scope_of_its_own()
    {
        await using var server = await BoundServer.InHostAsync(
            services => services.AddScoped<IReadingStore, ReadingStore>(),
            host => host.MapCoapGet("/store", (IReadingStore first, IServiceProvider services) =>
                $"{first.Name} {ReferenceEquals(first, services.GetService<IReadingStore>())}"));

        var (one, other) = ((await server.GetAsync("/store")).PayloadText, (await server.GetAsync("/store")).PayloadText);

        one.Should().EndWith("True").And.NotBe(other);
    }

    [Fact]
    public async Task The_scope_ends_after_an_asynchronous_handler()
    {
        ReadingStore? used = null;
        var wasDisposed = true;
        await using var server = await BoundServer.InHostAsync(
            services => services.AddScoped<ReadingStore>(),
            host => host.MapCoapGet("/store", async (ReadingStore store) =>
            {
                await Task.Yield();
                (used, wasDisposed) = (store, store.IsDisposed);
                return store.Name;
            }));

        (await server.GetAsync("/store")).PayloadText.Should().Be(used!.Name);

        wasDisposed.Should().BeFalse();
    }

    [Fact]
    public async Task A_class_that_is_registered_is_a_service_and_another_one_the_payload()
    {
        await using var server = await BoundServer.InHostAsync(
            services => services.AddSingleton(new ReadingStore { Name = "main" }),
            host => host.MapCoapPut("/store", (Reading reading, ReadingStore store) => $"{store.Name} {reading.Watts}"));

        (await server.AskAsync(RequestCode.Put, "/store", """{"watts":2}""")).PayloadText.Should().Be("main 2");
    }

    [Fact]
    public async Task A_keyed_service_is_found_by_its_key()
    {
        await using var server = await BoundServer.InHostAsync(
            services => services.AddKeyedSingleton<IReadingStore>("cold", new ReadingStore { Name = "archive" }),
            host => host.MapCoapGet("/store", ([FromServices("cold")] IReadingStore store, [FromServices] IReadingStore? other) => $"{store.Name} {other is null}"));

        (await server.GetAsync("/store")).PayloadText.Should().Be("archive True");
    }

    [Fact]
    public async Task Two_classes_that_are_not_registered_are_an_error_when_the_handler_is_mapped()
    {
        var run = () => BoundServer.InHostAsync(
            services => { }, host => host.MapCoapPut("/store", (Reading reading, ReadingStore store) => $"{store.Name} {reading.Watts}"));

        (await run.Should().ThrowAsync<InvalidOperationException>()).WithMessage("The handler of '/store' has 2 parameters for the payload*[FromServices].");
    }

    [Theory]
    [InlineData("interface", "A parameter of the handler of '/interface' has the type IReadingStore, and is not registered as a service. Register it, for example with builder.Services.AddScoped<IReadingStore>(), or mark*[[]FromPayload]*")]
    [InlineData("keyed", "A parameter of the handler of '/keyed' has the type IReadingStore, and is not registered as a service with the key 'cold'. Register it*AddKeyedScoped<IReadingStore>(key)*")]
    [InlineData("class", "A parameter of the handler of '/class' has the type ReadingStore, which is neither registered as a service nor handled by a payload format. *AddScoped<ReadingStore>(), and mark the parameter with [[]FromServices]*text (0)*")]
    public async Task A_parameter_without_a_source_is_an_error_that_names_the_ways_out(string path, string message)
    {
        var errors = new TestSupport.TestLog();
        await using var server = await BoundServer.InHostAsync(services => services.AddSingleton<ILoggerFactory>(errors), host =>
        {
            host.MapCoapPost("/interface", (IReadingStore store) => store.Name);
            host.MapCoapPost("/keyed", ([FromServices("cold")] IReadingStore store) => store.Name);
            host.MapCoapPost("/class", (ReadingStore store) => store.Name);
        });

        (await server.AskAsync(RequestCode.Post, $"/{path}", "{}")).Code.Should().Be(ResponseCode.InternalServerError);

        errors.Exceptions.Should().ContainSingle().Which.Message.Should().Match(message.Replace("[[]", "[", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_service_without_a_host_is_an_error_of_the_server()
    {
        await using var server = BoundServer.With(map => map.MapCoapGet("/store", (IReadingStore store) => store.Name));

        (await server.GetAsync("/store")).Code.Should().Be(ResponseCode.InternalServerError);
    }
}
