using CoAP;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace SampleWorker.Documentation;

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
                var logger = services.GetRequiredService<ILogger<Site>>();
                return async (request, cancellationToken) =>
                {
                    logger.LogInformation("{Method} {Path}", request.Method, request.Path);
                    return await next(request, cancellationToken);
                };
            });
    }

    public static void MapGroup(IHost host)
    {
        var devices = host.MapCoapGroup("devices/{device}");
        devices.Use(next => (request, cancellationToken) =>
            request.User.Identity?.Name == request["device"] ? next(request, cancellationToken) : new(Response.Forbidden));
        devices.MapCoapResource<Switch>("switch");
    }

    public static void Limit(HostApplicationBuilder builder)
    {
        builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = TimeSpan.FromSeconds(20));
        builder.Services.ConfigureCoapServer(settings => settings with { ShutdownTimeout = TimeSpan.FromSeconds(10) });
    }

    internal sealed class Site
    {
        public int Lanes => 2;
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
