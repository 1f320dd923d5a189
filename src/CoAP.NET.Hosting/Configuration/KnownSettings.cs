namespace CoAP.Hosting;

/// <summary>The records of settings that a configuration can contain. Trimming keeps their properties because they are listed here.</summary>
internal static class KnownSettings
{
    private static readonly string[] TlsFiles = [TlsFileKeys.Certificate, TlsFileKeys.Key, TlsFileKeys.TrustedRoots];

    private static readonly Dictionary<Type, SettingsType> Types = new SettingsType[]
    {
        SettingsType.Of<CoapServerSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<CoapClientSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<TransmissionParameters>(static () => new(), static settings => settings with { }),
        SettingsType.Of<UdpSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<TcpSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<StreamSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ClientTransferSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ServerTransferSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<RobustTransferSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<DeduplicationSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ServerObservationSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ClientObservationSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<FreshnessSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<LedgerSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<AmplificationSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<MulticastSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<MulticastRequestSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<WebSocketServerSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ReconnectSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<ResponseCacheSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<TlsServerSettings>(static () => new(), static settings => settings with { }, TlsFiles),
        SettingsType.Of<TlsClientSettings>(static () => new(), static settings => settings with { }, TlsFiles),
        SettingsType.Of<TelemetrySettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<RateLimit>(static () => new() { Requests = 1 }, static limit => limit with { }, requiredKeys: [nameof(RateLimit.Requests)]),
    }.ToDictionary(static type => type.Type);

    public static IReadOnlyCollection<SettingsType> All => Types.Values;

    /// <summary>Returns the record that a property holds, or <see langword="null"/> if it holds something else.</summary>
    public static SettingsType? Of(Type property) => Types.GetValueOrDefault(property == typeof(ResponseCache) ? typeof(ResponseCacheSettings) : property);

    /// <summary>Returns the keys of a record that a configuration can set, in the order of the properties.</summary>
    public static IEnumerable<string> KeysOf(SettingsType type) => type.Properties
        .Where(static property => IsBindable(property.PropertyType)).Select(static property => property.Name).Concat(type.FileKeys);

    /// <summary>Whether a configuration can set properties of a type.</summary>
    public static bool IsBindable(Type property) => Of(property) is not null || SettingsText.Reads(property) || SettingsLists.Reads(property);

    /// <summary>What to do about a property that a configuration cannot set.</summary>
    public static string AdviceFor(Type endpoint, string key, Type property)
    {
        if (property == typeof(DatagramSecurity))
        {
            var record = endpoint == typeof(CoapServerSettings) ? "DtlsServerSettings" : "DtlsClientSettings";
            return $"needs a reader: reference CoAP.NET.Dtls and call services.AddSingleton<ICoapSettingsSection>(new CoapSettingsSection<{endpoint.Name}, {record}>(\"{key}\", () => new(), settings => settings with {{ }}))";
        }
        return key switch
        {
            "Certificate" => $"cannot be set by text; write {TlsFileKeys.Certificate} and {TlsFileKeys.Key}, the paths of PEM files",
            "TrustedRoots" => $"cannot be set by text; write {TlsFileKeys.TrustedRoots}, the path of a PEM file",
            _ => $"cannot be set by text, because it is an object; set it in code: settings => settings with {{ {key} = … }}",
        };
    }
}
