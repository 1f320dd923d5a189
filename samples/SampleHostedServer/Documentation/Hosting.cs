using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace SampleHostedServer.Documentation;

/// <summary>The snippets of the page on hosting.</summary>
internal static class Hosting
{
    public static void AddSteps(HostApplicationBuilder builder)
    {
        builder.Services.AddCoapServer()
            .BindConfiguration("Servers:Coap")
            .Configure((settings, services) => settings with { Lanes = services.GetRequiredService<Site>().Lanes })
            .Use((next, services) =>
            {
                var site = services.GetRequiredService<Site>();
                return (request, cancellationToken) => site.IsOpen ? next(request, cancellationToken) : new(Response.Unavailable(TimeSpan.FromMinutes(1)));
            });
    }

    public static void MapGroup(IHost host)
    {
        var devices = host.MapCoapGroup("devices/{device}");
        devices.Use(next => (request, cancellationToken) =>
            request.User.Identity?.Name == request["device"] ? next(request, cancellationToken) : new(CoapResults.Forbidden()));
        devices.MapCoapResource<Switch>("switch");
    }

    public static void Limit(HostApplicationBuilder builder)
    {
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(20));
        builder.Services.ConfigureCoapServer(settings => settings with { ShutdownTimeout = TimeSpan.FromSeconds(10) });
    }

    internal sealed class Site
    {
        public int Lanes { get; init; } = 2;

        public bool IsOpen { get; set; } = true;
    }

    internal sealed class Switches
    {
        public bool this[string device] { get => device.Length > 0; set => _ = value; }
    }

    internal sealed class Switch(Switches switches) : CoapResource
    {
        protected override ValueTask<CoapResponse> GetAsync(IncomingRequest request, CancellationToken cancellationToken) =>
            new(Response.Content(switches[request["device"]] ? "on" : "off"));
    }
}
