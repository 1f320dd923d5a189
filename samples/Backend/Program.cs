using Backend;
using CoAP;
using Samples;

const string Usage = """
    Usage: Backend [--Backend:KEY VALUE]... [--urls http://ADDRESS:PORT] [--help]
    Stores the readings of controllers and shows them on a page (default: http://localhost:5080).
    --Backend:Simulate is the number of simulated controllers (default: 0).
    --Backend:Address and --Backend:Port are where CoAP listens (default: 127.0.0.1, 5683). --Backend:SecurePort is for DTLS (default: 5684).
    --Backend:Keys:ID is the pre-shared key of a controller or operator: text, or hexadecimal digits after 0x.
    --Backend:Store is Memory (default) or PostgreSql, which needs --Backend:ConnectionString.
    README.md of this sample lists all keys.
    Example: Backend --Backend:Simulate 3
    """;
if (Help.IsShown(args, Usage)) { return; }

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
