using System.Net;
using System.Net.Sockets;
using CoAP.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace CoAP.Hosting.Tests.Serving;

/// <summary>Settings of a hosted server, and the errors at its start.</summary>
[Trait("Category", "Loopback")]
[Collection("Loopback")]
public sealed class AddCoapServerTests
{
    private readonly HostApplicationBuilder _builder = Host.CreateEmptyApplicationBuilder(new HostApplicationBuilderSettings());

    [Fact]
    public void A_second_call_names_ConfigureCoapServer()
    {
        _builder.Services.AddCoapServer();

        _builder.Services.Invoking(services => services.AddCoapServer()).Should().Throw<InvalidOperationException>().WithMessage("*ConfigureCoapServer*");
    }

    [Fact]
    public void A_host_without_a_server_names_AddCoapServer()
    {
        using var host = _builder.Build();

        host.Invoking(one => one.MapCoapGroup("x")).Should().Throw<InvalidOperationException>().WithMessage("*AddCoapServer()*");
    }

    [Fact]
    public async Task A_port_in_use_fails_the_start_and_is_named()
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        _builder.Services.AddCoapServer(settings => settings with { Endpoints = [ServerEndpoint.Tcp((IPEndPoint)taken.LocalEndpoint)] });
        using var host = _builder.Build();

        (await host.Awaiting(one => one.StartAsync()).Should().ThrowAsync<CoapTransportException>())
            .WithMessage($"*{taken.LocalEndpoint}*choose another port*\"Coap\"*").WithInnerException<SocketException>();
    }

    [Fact]
    public void Settings_that_are_null_name_the_method()
    {
        _builder.Services.AddCoapServer().Configure((_, _) => null!);
        using var host = _builder.Build();

        host.Services.Invoking(services => services.GetService<CoapServer>()).Should().Throw<InvalidOperationException>().WithMessage("*Configure returned null*");
    }

    [Fact]
    public void A_missing_section_is_an_error_if_the_program_names_it()
    {
        _builder.Services.AddCoapServer().BindConfiguration("Servers:Coap");
        using var host = _builder.Build();

        host.Services.Invoking(services => services.GetService<CoapServer>()).Should().Throw<InvalidOperationException>().WithMessage("*'Servers:Coap'*");
    }

    [Theory, InlineData(null), InlineData("Servers:Coap")]
    public async Task The_configuration_comes_first_and_ConfigureCoapServer_last(string? path)
    {
        var seen = new List<int>();
        _builder.Configuration.AddInMemoryCollection([new($"{path ?? "Coap"}:MaxQueuedRequests", "7"), new($"{path ?? "Coap"}:Endpoints", "coap://127.0.0.1:0")]);
        _builder.Services.ConfigureCoapServer(settings => Next(settings));
        var server = _builder.Services.AddCoapServer(Next).Configure((settings, _) => Next(settings));
        _builder.Services.ConfigureCoapServer(settings => Next(settings));
        if (path is not null) { server.BindConfiguration(path); }
        using var host = _builder.Build();

        await host.StartAsync();

        seen.Should().Equal(7, 8, 9, 10);
        host.Services.GetRequiredService<CoapServer>().Endpoints.Should().ContainSingle();
        await host.StopAsync();

        CoapServerSettings Next(CoapServerSettings settings)
        {
            seen.Add(settings.MaxQueuedRequests);
            return settings with { MaxQueuedRequests = settings.MaxQueuedRequests + 1 };
        }
    }

    [Fact]
    public void An_unknown_key_fails_with_its_path()
    {
        _builder.Configuration.AddInMemoryCollection([new("Coap:MaxQeuedRequests", "7")]);
        _builder.Services.AddCoapServer();
        using var host = _builder.Build();

        host.Services.Invoking(services => services.GetService<CoapServer>()).Should().Throw<CoapConfigurationException>().WithMessage("*Coap:MaxQeuedRequests*");
    }

    [Fact]
    public void The_clock_of_the_services_is_used()
    {
        var time = new ManualClock();
        CoapServerSettings? seen = null;
        _builder.Services.AddSingleton<TimeProvider>(time);
        _builder.Services.AddCoapServer(settings => seen = settings);
        using var host = _builder.Build();

        host.MapCoapGroup("x");

        seen!.TimeProvider.Should().BeSameAs(time);
    }
}
