using Backend;
using CoAP;

var builder = WebApplication.CreateBuilder(args);
var settings = BackendSettings.Read(builder.Configuration);
builder.Services.AddSingleton(settings)
    .AddSingleton<IReadingStore>(settings.Store == StoreKind.PostgreSql ? PostgreSqlReadingStore.Connect(settings.ConnectionString!) : new InMemoryReadingStore(settings))
    .AddSingleton<ReadingPipeline>()
    .AddHostedService(static services => services.GetRequiredService<ReadingPipeline>())
    .AddSingleton<ControllerTable>()
    .AddSingleton<ControllerCalls>()
    .AddSingleton<ControllerResources>()
    .AddCoapServer(_ => { }, CoapSettings.For(settings))
    .ConfigureHttpJsonOptions(static options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, WebContracts.Default));
if (settings.Simulate > 0) { builder.Services.AddHostedService<SimulatedControllers>(); }
Telemetry.Add(builder.Services, settings);

var application = builder.Build();
var server = application.Services.GetRequiredService<CoapServer>();
server.Authorize(new ControllerAccess(settings).Authorize);
application.Services.GetRequiredService<ControllerResources>().Map(server.Resources);
application.UseFileServer();
WebEndpoints.Map(application);
application.Lifetime.ApplicationStarted.Register(() =>
{
    foreach (var endpoint in server.Endpoints) { Console.WriteLine($"listening {endpoint}"); }
});
application.Run();
