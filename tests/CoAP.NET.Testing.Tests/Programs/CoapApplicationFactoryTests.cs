using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using SampleHostedServer;

namespace CoAP.Testing.Tests.Programs;

public class CoapApplicationFactoryTests
{
    [Fact]
    public void An_exception_of_Main_is_thrown_in_the_test()
    {
        using var program = new CoapApplicationFactory<SensorStore> { Arguments = ["--Coap:Lanse", "2"] };

        program.Invoking(it => it.Start()).Should().Throw<CoapConfigurationException>().WithMessage("*Coap:Lanse*Lanes*");
    }

    [Fact]
    public void A_wrong_setting_of_the_server_is_thrown_in_the_test()
    {
        using var program = new CoapApplicationFactory<SensorStore>().ConfigureServices(
            services => services.ConfigureCoapServer(settings => settings with { MaxPendingRequests = -1 }));

        program.Invoking(it => it.CreateClient()).Should().Throw<ArgumentOutOfRangeException>();
    }

    [Fact]
    public void A_program_without_a_host_is_an_error_that_says_so()
    {
        using var program = new CoapApplicationFactory<string>();

        program.Invoking(it => it.Start()).Should().Throw<InvalidOperationException>().WithMessage("*has no entry point*");
    }

    [Fact]
    public void The_services_use_the_clock_of_the_network()
    {
        using var program = new CoapApplicationFactory<SensorStore>();

        program.Services.GetRequiredService<TimeProvider>().Should().BeSameAs(program.Network.Clock);
    }

    [Fact]
    public void Services_cannot_change_after_the_start()
    {
        using var program = new CoapApplicationFactory<SensorStore>();
        program.Start();

        program.Invoking(it => it.ConfigureServices(_ => { })).Should().Throw<InvalidOperationException>();
    }

    [Fact]
    public void Lost_datagrams_are_sent_again_between_program_and_client()
    {
        using var program = new CoapApplicationFactory<SensorStore>();
        var client = program.CreateClient(name: "app");
        program.Network.Drop("server", "app");

        client.Get("/sensors/8").Code.Should().Be(ResponseCode.NotFound);

        program.Network.Transcript.Should().HaveCount(4);
    }
}
