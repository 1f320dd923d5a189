namespace CoAP.Hosting;

/// <summary>Finds the setting that an unknown key probably means.</summary>
internal static class KeySuggestion
{
    /// <summary>Returns the second half of a sentence about an unknown key, with its full stop.</summary>
    public static string For(string key, SettingsType type)
    {
        var keys = KnownSettings.KeysOf(type).ToArray();
        if (Elsewhere(key, type) is { } path) { return $"did you mean {path}?"; }
        var nearest = keys.MinBy(known => Distance(key, known));
        return nearest is not null && Distance(key, nearest) <= Math.Max(key.Length, nearest.Length) / 3
            ? $"did you mean {nearest}?"
            : $"the keys here are {string.Join(", ", keys)}.";
    }

    // A setting of a section below, without the name of the section.
    private static string? Elsewhere(string key, SettingsType type) => type.Properties
        .Where(property => KnownSettings.Of(property.PropertyType)?.Find(key) is not null)
        .Select(property => $"{property.Name}:{KnownSettings.Of(property.PropertyType)!.Find(key)!.Name}").FirstOrDefault();

    // Levenshtein's distance; upper and lower case make no difference.
    private static int Distance(string left, string right)
    {
        var previous = Enumerable.Range(0, right.Length + 1).ToArray();
        for (var i = 0; i < left.Length; i++)
        {
            var current = new int[previous.Length];
            current[0] = i + 1;
            for (var j = 0; j < right.Length; j++)
            {
                var cost = char.ToLowerInvariant(left[i]) == char.ToLowerInvariant(right[j]) ? 0 : 1;
                current[j + 1] = Math.Min(Math.Min(current[j] + 1, previous[j + 1] + 1), previous[j] + cost);
            }
            previous = current;
        }
        return previous[^1];
    }
}
