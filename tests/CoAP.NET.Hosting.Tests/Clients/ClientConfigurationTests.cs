using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;

namespace CoAP.Hosting.Tests.Clients;

public sealed class ClientConfigurationTests
{
    [Theory]
    [InlineData("CoapClients:plant:Timeuot", "5s", "*CoapClients:plant:Timeuot*Timeout*")]
    [InlineData("CoapClients:plant:BaseUri", "plant.example", "*CoapClients:plant:BaseUri*plant.example*")]
    [InlineData("CoapClients:plent:Timeout", "5s", "*CoapClients:plent*no CoAP client with the name 'plent'*'plant'*")]
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

    private static ClientHost HostWith(string key, string value, Action<IServiceCollection> add) =>
        ClientHost.With(add, configure: builder => builder.Configuration.AddInMemoryCollection([new(key, value)]));
}
