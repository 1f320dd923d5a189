using CoAP;
using CoAP.Formats;

namespace SampleRecipes;

/// <summary>The recipes that run in a host.</summary>
internal static class Hosts
{
    public static async Task WebAsync(string[] args)
    {
        var builder = WebApplication.CreateBuilder(args);
        builder.Services.AddScoped<LevelStore>();
        builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(LevelJson.Default)) });
        var app = builder.Build();
        app.UseWebSockets();
        app.MapCoap();
        app.MapCoapGet("levels/{id:int}", (int id, LevelStore store) => store.Find(id));
        app.MapCoapPut("levels/{id:int}", (int id, Level level, LevelStore store) => store.Save(id, level));
        await app.RunAsync();
    }

    public static async Task GenericAsync(string[] args)
    {
        var builder = Host.CreateApplicationBuilder(args);
        builder.Services.AddCoapServer();
        var host = builder.Build();
        host.MapCoapGet("hello", () => "Hello, CoAP!");
        await host.RunAsync();
    }
}
