using CoAP;

var builder = WebApplication.CreateBuilder(args);
builder.Services.AddCoapServer(server => server.Resources.At("hello").Get(_ => Response.Content("Hello, CoAP!")));

var application = builder.Build();
application.UseWebSockets();
application.MapCoap();
application.MapGet("/", () => "HTTP as before");
application.Run();
