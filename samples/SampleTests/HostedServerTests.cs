using CoAP;
using CoAP.Testing;
using Microsoft.Extensions.DependencyInjection;
using SampleHostedServer;
using Xunit;

namespace SampleTests;

public class HostedServerTests
{
    [Fact]
    public async Task The_program_answers_with_its_own_services_and_a_setting_of_the_test()
    {
        await using var program = new CoapApplicationFactory<IGreeter>().WithSetting("Greeting", "Good morning");
        var client = program.CreateClient();

        var response = program.Network.Run(client.GetAsync("/hello/Ada"));

        Assert.Equal("Good morning, Ada!", response.PayloadText);
    }

    [Fact]
    public async Task A_service_of_the_program_can_be_replaced()
    {
        await using var program = new CoapApplicationFactory<IGreeter>().ConfigureServices(services => services.AddSingleton<IGreeter, Parrot>());

        Assert.Equal("Ada", program.CreateClient().Get("/hello/Ada").PayloadText);
    }

    private sealed class Parrot : IGreeter
    {
        public string Greet(string name) => name;
    }
}
