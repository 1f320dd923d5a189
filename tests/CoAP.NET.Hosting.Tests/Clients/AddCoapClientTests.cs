using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace CoAP.Hosting.Tests.Clients;

public sealed class AddCoapClientTests
{
    [Fact]
    public async Task An_unknown_name_is_an_error_that_names_the_known_ones()
    {
        await using var host = ClientHost.With(services => services.AddCoapClient("meters"));
        var clients = host.Services.GetRequiredService<ICoapClientFactory>();

        clients.Invoking(one => one.Get("metres")).Should().Throw<ArgumentException>().WithMessage("*no CoAP client with the name 'metres'*'meters'*AddCoapClient(\"metres\")*");
    }

    [Fact]
    public void A_typed_client_without_a_sender_in_its_constructor_is_refused_at_the_call()
    {
        var services = new ServiceCollection();

        services.Invoking(one => one.AddCoapClient<string>()).Should().Throw<InvalidOperationException>().WithMessage("*IRequestSender or CoapClient*");
        services.Invoking(one => one.AddCoapClient<ILight>()).Should().Throw<InvalidOperationException>().WithMessage("*AddCoapClient<ILight, TheClass>*");
    }

    [Fact]
    public async Task A_function_that_returns_null_ends_the_start_of_the_host()
    {
        await using var host = ClientHost.With(services => services.AddCoapClient(_ => null!));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<InvalidOperationException>().WithMessage("*returned null*");
    }

    [Fact]
    public async Task The_default_client_and_its_sender_are_one_object_that_all_share()
    {
        await using var host = ClientHost.With(services => services.AddCoapClient());

        var client = host.Services.GetRequiredService<CoapClient>();

        host.Services.GetRequiredService<IRequestSender>().Should().BeSameAs(client);
        host.Services.GetRequiredService<ICoapClientFactory>().Get("").Should().BeSameAs(client);
        (await client.GetAsync("coap://peer/light")).PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task Named_clients_are_keyed_services_and_differ()
    {
        await using var host = ClientHost.With(services =>
        {
            services.AddCoapClient("a");
            services.AddCoapClient("b");
        });

        var first = host.Services.GetRequiredKeyedService<CoapClient>("a");

        first.Should().NotBeSameAs(host.Services.GetRequiredKeyedService<CoapClient>("b"));
        host.Services.GetRequiredKeyedService<IRequestSender>("a").Should().BeSameAs(first);
    }

    [Fact]
    public async Task A_typed_client_calls_paths_of_its_base_address()
    {
        await using var host = ClientHost.With(services => services.AddCoapClient<ILight, Light>(settings => settings with { BaseUri = "coap://peer" }));

        (await host.Services.GetRequiredService<ILight>().ReadAsync()).Should().Be("on");
    }

    [Fact]
    public async Task Two_typed_clients_share_the_client_of_a_name()
    {
        await using var host = ClientHost.With(services =>
        {
            services.AddCoapClient<Light>("plant", settings => settings with { BaseUri = "coap://peer" });
            services.AddCoapClient<Raw>("plant");
        });

        var raw = host.Services.GetRequiredService<Raw>();

        raw.Client.Should().BeSameAs(host.Services.GetRequiredKeyedService<CoapClient>("plant"));
        raw.Loggers.Should().BeSameAs(host.Services.GetRequiredService<ILoggerFactory>());
        (await host.Services.GetRequiredService<Light>().ReadAsync()).Should().Be("on");
    }

    [Fact]
    public async Task The_settings_take_the_services_of_the_host_and_the_functions_in_order()
    {
        var (seen, clock) = (new List<string>(), new OwnTime());
        await using var host = ClientHost.With(services =>
        {
            services.AddSingleton<TimeProvider>(clock);
            services.ConfigureCoapClient(settings => Note("all", settings));
            services.AddCoapClient(settings => Note(settings.TimeProvider == clock ? "first" : "no clock", settings));
            services.AddCoapClient(settings => Note("second", settings));
        });

        host.Services.GetRequiredService<CoapClient>();

        seen.Should().Equal("first", "second", "all");

        CoapClientSettings Note(string text, CoapClientSettings settings)
        {
            seen.Add(text);
            return settings;
        }
    }

    [Fact]
    public async Task The_host_disposes_of_its_clients()
    {
        CoapClient client;
        await using (var host = ClientHost.With(services => services.AddCoapClient("a")))
        {
            client = host.Services.GetRequiredKeyedService<CoapClient>("a");
            await client.GetAsync("coap://peer/light");
        }

        await client.Awaiting(one => one.GetAsync("coap://peer/light").AsTask()).Should().ThrowAsync<ObjectDisposedException>();
    }

    internal interface ILight
    {
        Task<string> ReadAsync();
    }

    internal sealed class Light : ILight
    {
        private readonly IRequestSender _sender;

        public Light(IRequestSender sender) => _sender = sender;

        public async Task<string> ReadAsync() => (await _sender.GetAsync("/light")).PayloadText;
    }

    internal sealed class Raw
    {
        public Raw(CoapClient client, ILoggerFactory loggers) => (Client, Loggers) = (client, loggers);

        public CoapClient Client { get; }

        public ILoggerFactory Loggers { get; }
    }

    private sealed class OwnTime : TimeProvider;

    [Fact]
    public void Two_classes_with_one_name_need_names_for_their_clients()
    {
        var services = new ServiceCollection();
        services.AddCoapClient<One.Meter>();
        services.AddCoapClient<One.Meter>();    // the same class again

        services.Invoking(static all => all.AddCoapClient<Other.Meter>()).Should().Throw<InvalidOperationException>()
            .WithMessage("The CoAP client 'Meter' is already that of *One+Meter. Pass a name for that of *Other+Meter: AddCoapClient<Meter>(\"name\").");
        services.AddCoapClient<Other.Meter>("other");
    }

    private static class One
    {
        public sealed class Meter(IRequestSender sender)
        {
            public IRequestSender Sender => sender;
        }
    }

    private static class Other
    {
        public sealed class Meter(IRequestSender sender)
        {
            public IRequestSender Sender => sender;
        }
    }
}
