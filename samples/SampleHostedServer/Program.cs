using CoAP;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using SampleHostedServer;

var builder = Host.CreateApplicationBuilder(args);
builder.Services.AddSingleton<IGreeter, Greeter>();
builder.Services.AddCoapServer().Map(static (server, services) =>
{
    var greeter = services.GetRequiredService<IGreeter>();
    server.Resources.At("hello/{name}").Get((request, _) => new(Response.Content(greeter.Greet(request["name"]))));
});
var host = builder.Build();
if (builder.Configuration["Fail"] is { } reason) { throw new InvalidOperationException(reason); }
host.Run();
