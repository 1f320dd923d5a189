using CoAP;
using SampleServer;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddCoapServer(server => server.Resources.At("hello").Get(_ => Response.Content("Hello, CoAP!")));

var application = builder.Build();
application.UseWebSockets();
application.MapCoap();
application.UseFileServer();    // serves the pages of wwwroot over HTTP

var server = application.Services.GetRequiredService<CoapServer>();
var time = Clock.Map(server.Resources, application.Lifetime.ApplicationStopping);
application.MapGet("/observers", () => time.ObserverCount);
application.Run();
