using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting.Tests.Clients;

public sealed class ClientConfigurationTests
{
    [Theory]
    [InlineData("CoapClients:plant:Timeuot", "5s", "*CoapClients:plant:Timeuot*Timeout*")]
    [InlineData("CoapClients:plant:BaseUri", "plant.example", "*CoapClients:plant:BaseUri*plant.example*")]
    [InlineData("CoapClients:plent:Timeout", "5s", "*CoapClients:plent*no CoAP client with the name 'plent'*'plant'*")]
    [InlineData("CoapClient:Timeout", "5s", "*CoapClient: there is no CoAP client without a name.*AddCoapClient()*CoapClients:<name>*'plant'*")]
    public async Task A_wrong_key_value_or_name_ends_the_start_with_its_path(string key, string value, string text)
    {
        await using var host = HostWith(key, value, services => services.AddCoapClient("plant"));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<CoapConfigurationException>().WithMessage(text);
    }

    [Fact]
    public async Task The_section_of_a_name_sets_the_base_address()
    {
        await using var host = HostWith("CoapClients:plant:BaseUri", "coap://peer", services => services.AddCoapClient("plant"));

        (await host.Services.GetRequiredKeyedService<CoapClient>("plant").GetAsync("/light")).PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task The_client_without_a_name_has_a_section_of_its_own_which_the_program_can_change()
    {
        await using var host = HostWith(
            "CoapClient:BaseUri", "coap://elsewhere", services => services.AddCoapClient(settings => settings with { BaseUri = settings.BaseUri?.Replace("elsewhere", "peer", StringComparison.Ordinal) }));

        (await host.Services.GetRequiredService<CoapClient>().GetAsync("/light")).PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task A_chosen_section_replaces_that_of_the_name()
    {
        await using var host = HostWith("Plant:Coap:BaseUri", "coap://peer", services => services.AddCoapClient("plant").BindConfiguration("Plant:Coap"));

        await host.StartAsync();

        (await host.Services.GetRequiredKeyedService<CoapClient>("plant").GetAsync("/light")).PayloadText.Should().Be("on");
    }

    [Theory]
    [InlineData("Plant:Coap:Timeuot", "5s", "*Plant:Coap:Timeuot is not a setting; did you mean Timeout?*")]
    [InlineData("Plant:Coap:Timeout", "5", "*Plant:Coap:Timeout is \"5\"; write a time with a unit*")]
    public async Task A_wrong_key_or_value_in_a_chosen_section_ends_the_start_with_its_path(string key, string value, string text)
    {
        await using var host = HostWith(key, value, services => services.AddCoapClient().BindConfiguration("Plant:Coap"));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<CoapConfigurationException>().WithMessage(text);
    }

    [Fact]
    public async Task A_chosen_section_that_does_not_exist_ends_the_start()
    {
        await using var host = HostWith("Plant:Timeout", "5s", services => services.AddCoapClient().BindConfiguration("Plant:Coap"));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<InvalidOperationException>()
            .WithMessage("The configuration has no section 'Plant:Coap', which was passed to BindConfiguration. Add the section, or remove the call.");
    }

    [Fact]
    public async Task A_section_of_a_client_that_reads_another_one_ends_the_start()
    {
        await using var host = ClientHost.With(
            services => services.AddCoapClient("plant").BindConfiguration("Plant"),
            configure: builder => builder.Configuration.AddInMemoryCollection([new("CoapClients:plant:Timeout", "5s"), new("Plant:Timeout", "5s")]));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<CoapConfigurationException>()
            .WithMessage("*CoapClients:plant: no CoAP client reads this section, because 'Plant' was passed to BindConfiguration*");
    }

    [Theory]
    [InlineData("CoapClients:shared")]
    [InlineData("CoapClients:group:plant")]
    public async Task A_client_may_choose_a_section_next_to_those_of_the_names(string section)
    {
        await using var host = HostWith($"{section}:BaseUri", "coap://peer", services => services.AddCoapClient("plant").BindConfiguration(section));

        await host.StartAsync();

        (await host.Services.GetRequiredKeyedService<CoapClient>("plant").GetAsync("/light")).PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task Functions_of_Configure_get_the_services_and_run_after_the_configuration()
    {
        await using var host = HostWith("CoapClient:BaseUri", "coap://elsewhere", services => services.AddSingleton(new Uri("coap://peer"))
            .AddCoapClient().Configure((settings, provider) => settings with { BaseUri = provider.GetRequiredService<Uri>().OriginalString }));

        (await host.Services.GetRequiredService<CoapClient>().GetAsync("/light")).PayloadText.Should().Be("on");
    }

    [Fact]
    public async Task A_function_of_Configure_that_returns_null_ends_the_start()
    {
        await using var host = ClientHost.With(services => services.AddCoapClient().Configure((_, _) => null!));

        await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<InvalidOperationException>().WithMessage("The function that was passed to Configure returned null.*");
    }

    [Fact]
    public void A_path_of_a_section_must_not_be_empty() =>
        new ServiceCollection().AddCoapClient().Invoking(client => client.BindConfiguration(" ")).Should().Throw<ArgumentException>().WithParameterName("path");

    private static ClientHost HostWith(string key, string value, Action<IServiceCollection> add) =>
        ClientHost.With(add, configure: builder => builder.Configuration.AddInMemoryCollection([new(key, value)]));
}
