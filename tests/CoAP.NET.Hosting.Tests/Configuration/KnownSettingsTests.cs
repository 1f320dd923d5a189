using System.Reflection;

namespace CoAP.Hosting.Tests.Configuration;

/// <summary>No setting is forgotten: each is read from a configuration, or is listed here because it cannot be written as text.</summary>
public sealed class KnownSettingsTests
{
    private static readonly string[] NotText =
    [
        "CoapServerSettings.Dtls", "CoapClientSettings.Dtls", "CoapClientSettings.StatelessTokens",
        "CoapServerSettings.Formats", "CoapServerSettings.Links", "CoapServerSettings.LoggerFactory", "CoapServerSettings.Network",
        "CoapServerSettings.Options", "CoapServerSettings.RequestServices", "CoapServerSettings.TimeProvider",
        "CoapClientSettings.Formats", "CoapClientSettings.Links", "CoapClientSettings.LoggerFactory", "CoapClientSettings.Network",
        "CoapClientSettings.Options", "CoapClientSettings.TimeProvider",
        "LedgerSettings.AccountOf", "ClientObservationSettings.Store", "ServerObservationSettings.Store", "ResponseCacheSettings.TimeProvider",
        "TlsServerSettings.Certificate", "TlsServerSettings.TrustedRoots", "TlsServerSettings.ValidateClient",
        "TlsClientSettings.Certificate", "TlsClientSettings.TrustedRoots", "TlsClientSettings.ValidateServer",
    ];

    [Fact]
    public void Each_property_is_bindable_or_listed_as_an_object()
    {
        var objects = KnownSettings.All.SelectMany(type => type.Properties
            .Where(property => !KnownSettings.IsBindable(property.PropertyType)).Select(property => $"{type.Type.Name}.{property.Name}"));

        objects.Should().BeEquivalentTo(NotText);
    }

    [Fact]
    public void Each_record_below_the_settings_of_endpoints_is_known()
    {
        var known = KnownSettings.All.Select(type => type.Type).ToHashSet();
        var below = known.SelectMany(type => type.GetProperties(BindingFlags.Public | BindingFlags.Instance))
            .Select(property => property.PropertyType).Where(type => type.GetMethod("<Clone>$") is not null && !type.IsAbstract).Distinct();

        below.Except([typeof(ServerEndpoint)]).Should().BeSubsetOf(known);
    }

    [Fact]
    public void A_copy_is_another_object_with_the_same_values()
    {
        foreach (var type in KnownSettings.All)
        {
            var made = type.Create();

            type.Copy(made).Should().NotBeSameAs(made).And.BeOfType(type.Type);
            type.Copy(made).Equals(made).Should().BeTrue($"{type.Type.Name} is a record");
        }
    }
}
