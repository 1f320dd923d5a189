namespace ProgramNamespace;

/// <summary>The reading that arrived last, for other services of the program. Safe for concurrent use.</summary>
public sealed class LatestReading
{
    private volatile Reading? _value;

    /// <summary>The reading, or <see langword="null"/> if none has arrived yet.</summary>
    public Reading? Value { get => _value; set => _value = value; }
}
