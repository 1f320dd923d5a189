using CoAP;
using CoAP.Formats;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using ProgramNamespace;

if (args.Contains("--help") || args.Contains("-h"))
{
    Console.WriteLine("""
        Usage: CoapServer-1 [--KEY VALUE]...

        Serves sensors/1 to sensors/64. GET reads or observes the last reading of a sensor, PUT replaces it.
        A reading is JSON, such as {"Celsius":21.5}.

        Each setting of appsettings.json is an argument, too:
          --Coap:Endpoints:0 URI             where to listen for UDP (now in the file: coap://127.0.0.1:5683)
          --Coap:Endpoints:1 URI             where to listen for TCP (now in the file: coap+tcp://127.0.0.1:5683)
          --Logging:LogLevel:Default LEVEL   what to log, such as Debug or Warning
          -h, --help                         shows this text

        Example, for all addresses of this machine:
          CoapServer-1 --Coap:Endpoints:0 coap://*:5683
        """);
    return;
}

// The settings file is next to the program, wherever the program is started from.
var builder = Host.CreateApplicationBuilder(new HostApplicationBuilderSettings { Args = args, ContentRootPath = AppContext.BaseDirectory });
builder.Services.AddSingleton<SensorStore>();
builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(SensorJson.Default)) });

var host = builder.Build();
var sensors = host.MapCoapGet("sensors/{id:int:range(1,64)}", (int id, SensorStore store) => store.Find(id)).Observable();
host.MapCoapPut("sensors/{id:int:range(1,64)}", (int id, Reading reading, SensorStore store) =>
{
    store.Save(id, reading);
    sensors.NotifyChanged($"sensors/{id}");
});
await host.RunAsync();
