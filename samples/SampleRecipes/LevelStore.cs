using System.Collections.Concurrent;
using System.Text.Json.Serialization;
using CoAP;

namespace SampleRecipes;

/// <summary>A level in a tank.</summary>
internal sealed record Level(double Meters);

/// <summary>The levels of all tanks.</summary>
internal sealed class LevelStore
{
    private static readonly ConcurrentDictionary<int, Level> Levels = new(SeededComparer<int>.Default);

    public Level? Find(int id) => Levels.GetValueOrDefault(id);

    public void Save(int id, Level level) => Levels[id] = level;
}

[JsonSerializable(typeof(Level))]
internal sealed partial class LevelJson : JsonSerializerContext;
