using System.Collections.Concurrent;
using System.Diagnostics.CodeAnalysis;
using System.Text.RegularExpressions;

namespace Backend;

/// <summary>The controllers that have reported, or that have a set point.</summary>
internal sealed partial class ControllerTable(BackendSettings settings)
{
    private readonly ConcurrentDictionary<string, Controller> _controllers = new(StringComparer.Ordinal);
    private int _count;

    public IEnumerable<Controller> All => _controllers.Values;

    [GeneratedRegex(@"\A[A-Za-z0-9._-]{1,64}\z")]
    private static partial Regex Id { get; }

    public static bool IsId(string text) => Id.IsMatch(text);

    public bool TryFind(string id, [NotNullWhen(true)] out Controller? controller) => _controllers.TryGetValue(id, out controller);

    /// <summary>Finds or adds a controller. Returns <see langword="false"/> if there are too many.</summary>
    public bool TryAdd(string id, [NotNullWhen(true)] out Controller? controller)
    {
        if (_controllers.TryGetValue(id, out controller)) { return true; }
        if (Volatile.Read(ref _count) >= settings.MaxControllers) { return false; }
        var added = new Controller(id);
        controller = _controllers.GetOrAdd(id, added);
        if (controller == added) { Interlocked.Increment(ref _count); }
        return true;
    }
}
