using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;

namespace CoAP.Hosting;

/// <summary>A record of settings: how to create and copy it, and its properties by name.</summary>
/// <remarks>Properties are set on a fresh copy that nobody else has seen, so records stay immutable for their users.</remarks>
internal sealed class SettingsType
{
    private readonly Dictionary<string, PropertyInfo> _properties;
    private readonly Func<object, object> _copy;

    private SettingsType(Type type, PropertyInfo[] properties, Func<object> create, Func<object, object> copy)
    {
        (Type, Create, _copy) = (type, create, copy);
        _properties = properties.Where(static property => property.SetMethod is { IsPublic: true } && property.GetIndexParameters().Length == 0)
            .ToDictionary(static property => property.Name, StringComparer.OrdinalIgnoreCase);
    }

    public Type Type { get; }

    public Func<object> Create { get; }

    public IReadOnlyCollection<PropertyInfo> Properties => _properties.Values;

    /// <summary>The keys that stand for files, in addition to the properties.</summary>
    public IReadOnlyList<string> FileKeys { get; init; } = [];

    /// <summary>The properties without which a section is not complete.</summary>
    public IReadOnlyList<string> RequiredKeys { get; init; } = [];

    public static SettingsType Of<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T>(
        Func<T> create, Func<T, T> copy, IReadOnlyList<string>? fileKeys = null, IReadOnlyList<string>? requiredKeys = null)
        where T : class =>
        new(typeof(T), typeof(T).GetProperties(BindingFlags.Public | BindingFlags.Instance), create, current => copy((T)current))
        {
            FileKeys = fileKeys ?? [],
            RequiredKeys = requiredKeys ?? [],
        };

    public object Copy(object current) => _copy(current);

    public PropertyInfo? Find(string key) => _properties.GetValueOrDefault(key);

    /// <summary>Sets a property of a copy. Exceptions of the property are not wrapped.</summary>
    public static void Set(PropertyInfo property, object copy, object? value) =>
        property.SetValue(copy, value, BindingFlags.DoNotWrapExceptions, binder: null, index: null, CultureInfo.InvariantCulture);
}
