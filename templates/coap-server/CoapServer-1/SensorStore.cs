namespace ProgramNamespace;

/// <summary>Keeps the last reading of each sensor. Safe for concurrent use.</summary>
public sealed class SensorStore
{
    /// <summary>The highest number of a sensor. The store has a fixed size, so clients cannot fill the memory.</summary>
    public const int MaxId = 64;

    private readonly Reading?[] _readings = new Reading?[MaxId + 1];

    /// <summary>Creates a store in which sensor 1 has a reading.</summary>
    public SensorStore() => _readings[1] = new Reading(21.5);

    /// <summary>Returns the last reading of a sensor, or <see langword="null"/> if it has not reported yet.</summary>
    public Reading? Find(int id) => Volatile.Read(ref _readings[id]);

    /// <summary>Replaces the last reading of a sensor.</summary>
    public void Save(int id, Reading reading) => Volatile.Write(ref _readings[id], reading);
}
