using CoAP;
using CoAP.Formats;
using CoAP.Hosting;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace SampleServer;

/// <summary>The snippets of docs/handlers.md.</summary>
internal static class TypedHandlers
{
    public static async Task FirstAsync()
    {
        var builder = Host.CreateApplicationBuilder();
        builder.Services.AddCoapServer(settings => settings with { Formats = PayloadFormats.Of(new JsonFormat(LevelJson.Default)) });
        builder.Services.AddScoped<ILevelStore, LevelStore>();
        using var app = builder.Build();

        app.MapCoapGet("/levels/{id:int}", (int id, ILevelStore store) => store.Find(id));
        app.MapCoapPut("/levels/{id:int}", async (int id, Level level, ILevelStore store, CancellationToken cancellationToken) =>
            await store.SaveAsync(id, level, cancellationToken));

        await app.RunAsync();
    }

    public static void Arguments(ResourceMap map)
    {
        map.MapCoapGet("/history/{day}", (DateOnly day, Unit unit = Unit.Meters, int? limit = null) => Describe(day, unit, limit));
        map.MapCoapGet("/search", ([FromQuery("q")] string text, string[] tag) => $"{text} in {string.Join(", ", tag)}");
        map.MapCoapPost("/notes", ([FromPayload] string note, PeerIdentity peer) => Console.WriteLine($"{peer}: {note}"));
    }

    public static void Results(ResourceMap map) =>
        map.MapCoapPost("/levels", (Level level) => level.Meters < 0
            ? CoapResults.BadRequest("Invalid level", "A level is at least 0 m.")
            : CoapResults.Created("/levels/17", level));

    public static void Groups(ResourceMap map)
    {
        var tanks = map.Group("tanks/{tank}");
        tanks.MapCoapGet("level", (string tank) => $"The level of {tank}").Observable().WithLink(rt: "level");
        tanks.MapCoapDelete("level", (string tank) => Console.WriteLine($"{tank} is empty"));
    }

    private static string Describe(DateOnly day, Unit unit, int? limit) => $"{day:O}: {limit} values in {unit}";
}

internal enum Unit { Meters, Liters }

internal sealed record Level(double Meters);

internal interface ILevelStore
{
    Level? Find(int id);

    Task SaveAsync(int id, Level level, CancellationToken cancellationToken);
}

internal sealed class LevelStore : ILevelStore
{
    private readonly Dictionary<int, Level> _levels = new(SeededComparer<int>.Default);

    public Level? Find(int id) => _levels.GetValueOrDefault(id);

    public Task SaveAsync(int id, Level level, CancellationToken cancellationToken)
    {
        _levels[id] = level;
        return Task.CompletedTask;
    }
}
