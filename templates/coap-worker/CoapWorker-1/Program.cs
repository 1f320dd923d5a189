using CoAP;
using CoAP.Formats;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using ProgramNamespace;

if (args.Contains("--help") || args.Contains("-h"))
{
    Console.WriteLine("""
        Usage: CoapWorker-1 [--KEY VALUE]...

        Reads a sensor of a device periodically and logs its readings. A request that fails is repeated.

        Each setting of appsettings.json is an argument, too:
          --CoapClients:SensorClient:BaseUri URI     the device (now in the file: coap://localhost)
          --CoapClients:SensorClient:Timeout TIME    how long to wait for a response, such as 10s
          --Poller:Sensor NUMBER                     the number of the sensor
          --Poller:Period HH:MM:SS                   the time between two readings
          -h, --help                                 shows this text

        Example:
          CoapWorker-1 --CoapClients:SensorClient:BaseUri coap://192.0.2.1 --Poller:Period 00:01:00
        """);
    return;
}

// The settings file is next to the program, wherever the program is started from.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddCoapClient<SensorClient>(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) })
    .AddResilience(CoapResilience.Standard);
builder.Services.AddOptions<PollerSettings>().BindConfiguration("Poller")
    .Validate(static settings => settings.Period > TimeSpan.Zero, "Poller:Period must be positive.")
    .ValidateOnStart();
builder.Services.AddSingleton(TimeProvider.System);
builder.Services.AddSingleton<LatestReading>();
builder.Services.AddHostedService<SensorPoller>();
await builder.Build().RunAsync();
