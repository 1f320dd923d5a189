using System.Reflection;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Reads one configuration. Collects all errors instead of ending at the first.</summary>
internal sealed class SettingsBinding(IEnumerable<ICoapSettingsSection> sections, ICollection<string> problems)
{
    /// <summary>Returns a copy of a record with the values of a section.</summary>
    public object Bind(SettingsType type, object current, IConfigurationSection section)
    {
        var copy = type.Copy(current);
        if (!string.IsNullOrEmpty(section.Value))
        {
            problems.Add($"{section.Path} has a value, but it is a section; its keys are {string.Join(", ", KnownSettings.KeysOf(type))}.");
            return copy;
        }
        foreach (var child in section.GetChildren()) { BindKey(type, copy, child); }
        if (type.FileKeys.Count > 0) { TlsFileKeys.Apply(type, copy, section, problems); }
        return copy;
    }

    private void BindKey(SettingsType type, object copy, IConfigurationSection child)
    {
        if (type.FileKeys.Contains(child.Key, StringComparer.OrdinalIgnoreCase)) { return; }
        if (type.Find(child.Key) is not { } property)
        {
            problems.Add($"{child.Path} is not a setting; {KeySuggestion.For(child.Key, type)}");
            return;
        }
        var before = problems.Count;
        var isRead = TryRead(type, property, copy, child, out var value);
        if (!isRead || problems.Count > before) { return; }
        try { SettingsType.Set(property, copy, value); }
        catch (Exception error) when (error is ArgumentException or FormatException)
        {
            var kind = property.PropertyType;
            var shown = child.Value is { } text && !SettingsLists.Reads(kind) ? $" {ShownValue.Of(type, kind, text)}" : "";
            problems.Add($"{child.Path}{shown}: {ShownValue.MessageOf(error, type, kind, child)}");
        }
    }

    private bool TryRead(SettingsType type, PropertyInfo property, object copy, IConfigurationSection child, out object? value)
    {
        value = null;
        if (sections.FirstOrDefault(one => one.Key.Equals(property.Name, StringComparison.OrdinalIgnoreCase)) is { } reader && type.Type == reader.Endpoint)
        {
            value = reader.Bind(property.GetValue(copy), child, problems);
            return true;
        }
        if (KnownSettings.Of(property.PropertyType) is { } nested)
        {
            value = BindNested(nested, property, copy, child);
            return true;
        }
        if (SettingsLists.Reads(property.PropertyType))
        {
            value = SettingsLists.Read(property.PropertyType, child, problems);
            return true;
        }
        if (!SettingsText.Reads(property.PropertyType))
        {
            problems.Add($"{child.Path} {KnownSettings.AdviceFor(type.Type, property.Name, property.PropertyType)}.");
            return false;
        }
        if (child.Value is null && child.GetChildren().Any())
        {
            problems.Add($"{child.Path} is a section, but it is one value; remove {child.Path}:{child.GetChildren().First().Key}.");
            return false;
        }
        if (SettingsText.TryRead(property.PropertyType, child.Value, out value, out var expected)) { return true; }
        problems.Add($"{child.Path} {ShownValue.Of(type, property.PropertyType, child.Value)}; write {expected}.");
        return false;
    }

    private object BindNested(SettingsType nested, PropertyInfo property, object copy, IConfigurationSection child)
    {
        var isCache = property.PropertyType == typeof(ResponseCache);
        var current = isCache ? null : property.GetValue(copy);
        foreach (var required in nested.RequiredKeys.Where(key => current is null && child[key] is null))
        {
            problems.Add($"{child.Path}:{required} is missing; {child.Path} needs it.");
        }
        var bound = Bind(nested, current ?? nested.Create(), child);
        return isCache ? new ResponseCache((ResponseCacheSettings)bound) : bound;
    }
}
