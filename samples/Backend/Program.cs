using Backend;
using CoAP;

var builder = WebApplication.CreateBuilder(args);
var settings = BackendSettings.Read(builder.Configuration);
builder.Services.AddSingleton(settings)
    .AddSingleton<IReadingStore>(settings.Store == StoreKind.PostgreSql ? PostgreSqlReadingStore.Connect(settings.ConnectionString!) : new InMemoryReadingStore(settings))
    .AddSingleton<ReadingPipeline>()
    .AddHostedService(static services => services.GetRequiredService<ReadingPipeline>())
    .AddSingleton(TimeProvider.System)
    .AddSingleton<StoredCounts>()
    .AddSingleton<ControllerTable>()
    .AddSingleton<ControllerCalls>()
    .AddSingleton<ControllerResources>()
    .AddSingleton<LiveFeed>()
    .AddSingleton<OpenPages>()
    .ConfigureHttpJsonOptions(static options => options.SerializerOptions.TypeInfoResolverChain.Insert(0, WebContracts.Default))
    .AddCoapServer(defaults => CoapSettings.For(settings, defaults))
    .Authorize(new ControllerAccess(settings).Authorize);
if (settings.Simulate > 0) { builder.Services.AddHostedService<SimulatedControllers>(); }
Telemetry.Add(builder.Services, settings);

var application = builder.Build();
application.Services.GetRequiredService<ControllerResources>().Map(application);
application.Use(SameOrigin.RequireAsync);
application.UseFileServer();
WebEndpoints.Map(application);
application.Lifetime.ApplicationStarted.Register(() =>
{
    foreach (var endpoint in application.Services.GetRequiredService<CoapServer>().Endpoints) { Console.WriteLine($"listening {endpoint}"); }
});
application.Run();
