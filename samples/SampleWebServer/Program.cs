using CoAP;
using Samples;
using SampleServer;

const string Usage = """
    Usage: SampleWebServer [--urls http://ADDRESS:PORT] [--AllowedHosts NAME;...] [--help]
    --urls is the address of the server (default: http://localhost:5000). It serves CoAP over WebSockets at /.well-known/coap, and a page that uses it at /.
    --AllowedHosts lists the names and addresses that browsers and clients may use for the server (default: localhost;127.0.0.1;[::1]).
    Example: SampleWebServer --urls http://localhost:5080
    """;
if (Help.IsShown(args, Usage)) { return; }

// A foreign page whose name leads to this machine (DNS rebinding) is refused by that name.
args = ["--AllowedHosts", "localhost;127.0.0.1;[::1]", .. args];

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddCoapServer(settings => settings with { Endpoints = [] });   // only WebSockets

var application = builder.Build();
application.UseWebSockets();
application.MapCoap();
application.MapCoapGet("hello", () => "Hello, CoAP!");
application.UseFileServer();    // serves the pages of wwwroot over HTTP

var server = application.Services.GetRequiredService<CoapServer>();
var time = Clock.Map(server.Resources, application.Lifetime.ApplicationStopping);
application.MapGet("/observers", () => time.ObserverCount);
application.Run();
