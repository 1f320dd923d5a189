using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Reads a section into a record of another package. The keys are the names of its properties, as in all other sections.</summary>
/// <typeparam name="TEndpoint">The settings that have the property: <see cref="CoapServerSettings"/> or <see cref="CoapClientSettings"/>.</typeparam>
/// <typeparam name="T">The record, such as <c>DtlsServerSettings</c> of the package CoAP.NET.Dtls.</typeparam>
public sealed class CoapSettingsSection<TEndpoint, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] T> : ICoapSettingsSection
    where TEndpoint : CoapEndpointSettings
    where T : class
{
    private readonly SettingsType _type;

    /// <summary>Creates a reader.</summary>
    /// <param name="key">The name of the property, such as "Dtls".</param>
    /// <param name="create">Returns the value to start from if the property is <see langword="null"/>, such as <c>() => new()</c>.</param>
    /// <param name="copy">Returns a copy, such as <c>settings => settings with { }</c>.</param>
    /// <exception cref="ArgumentException">The key is empty.</exception>
    public CoapSettingsSection(string key, Func<T> create, Func<T, T> copy)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(key);
        ArgumentNullException.ThrowIfNull(create);
        ArgumentNullException.ThrowIfNull(copy);
        Key = key;
        _type = SettingsType.Of(create, copy);
    }

    /// <inheritdoc/>
    public Type Endpoint => typeof(TEndpoint);

    /// <inheritdoc/>
    public string Key { get; }

    /// <inheritdoc/>
    /// <exception cref="InvalidOperationException">The value without the configuration has another type.</exception>
    public object? Bind(object? current, IConfigurationSection section, ICollection<string> problems)
    {
        ArgumentNullException.ThrowIfNull(section);
        ArgumentNullException.ThrowIfNull(problems);
        if (current is not (null or T))
        {
            throw new InvalidOperationException($"{section.Path} is {current.GetType().Name} without the configuration; the section is registered for {typeof(T).Name}.");
        }
        return new SettingsBinding([], problems).Bind(_type, current ?? _type.Create(), section);
    }
}
