using CoAP;
using CoAP.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using SampleHostedServer;
using Xunit;

namespace SampleTests;

public class HostedServerTests
{
    [Fact]
    public async Task The_program_answers_with_its_own_services_and_a_setting_of_the_test()
    {
        await using var program = new CoapApplicationFactory<SensorStore>().WithSetting("DefaultCelsius", "20.5");
        var client = program.CreateClient();

        var response = program.Network.Run(client.GetAsync("/sensors/7"));

        Assert.Equal("""{"Celsius":20.5}""", response.PayloadText);
    }

    [Fact]
    public async Task A_service_of_the_program_can_be_replaced()
    {
        await using var program = new CoapApplicationFactory<SensorStore>().ConfigureServices(services => services.AddScoped<SensorStore, FrozenStore>());

        Assert.Equal("""{"Celsius":-7}""", program.CreateClient().Get("/sensors/7").PayloadText);
    }

    private sealed class FrozenStore(IConfiguration configuration) : SensorStore(configuration)
    {
        public override SampleHostedServer.Reading Find(int id) => new(-id);
    }
}
