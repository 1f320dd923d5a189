using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using CoAP.Tests.Architecture;

namespace CoAP.Hosting.Tests.Configuration;

public sealed class SettingsPageTests
{
    private static readonly string[] Head =
    [
        "# Keys of the configuration",
        "",
        "This page lists the keys of the section `Coap` of a server and of the section of a client, with their meaning and default.",
        "`CoapSettingsBinder` reads them. A key that is not in these tables, or a value that is not allowed, prevents the start, and the error names the key.",
        "",
        "```json",
        "{ \"Coap\": { \"Endpoints\": [ \"coap://*:5683\", \"coaps+tcp://*:5684\" ], \"ShutdownTimeout\": \"10s\",",
        "            \"Udp\": { \"ReceiveBufferSize\": 1048576 }, \"Tls\": { \"CertificateFile\": \"server.pem\", \"KeyFile\": \"server.key\" } } }",
        "```",
        "",
        "- An environment variable has two underscores instead of the colon: `Coap__Udp__ReceiveBufferSize=1048576`.",
        "- A time has a unit: `00:00:05`, `5s`, `250ms`, `10min`, `1h`, `2d`. A size is a number of bytes.",
        "- A list is an array, or one text with semicolons.",
        "- An endpoint is a scheme, an address and a port: `coap`, `coaps`, `coap+tcp` and `coaps+tcp`, `coap+unix:///path`; `*` for all addresses; `localhost` for both loopback addresses.",
        "- A server reloads `Tls:CertificateFile` and `Tls:KeyFile` when they change. `Tls:TrustedRootsFile`, and the files of a client, are read once.",
        "- The section `Dtls` needs a reader: `services.AddSingleton<ICoapSettingsSection>(new CoapSettingsSection<CoapServerSettings, DtlsServerSettings>(\"Dtls\", () => new(), settings => settings with { }))`.",
        "- Objects, such as `LoggerFactory` or `Formats`, are set in code.",
        "",
        "The first two tables contain the **stable** settings: they keep their names and meanings.",
        "The [other settings](#experimental-settings) are **experimental**: they may change or disappear in any version before 1.0.",
        "In code, an experimental setting is the error [COAP902](analyzers.md#coap902), which you can suppress. In a configuration, it is a key like any other.",
        "",
        "This page is generated: `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Hosting.Tests` writes it.",
        "",
    ];

    private static readonly SettingsType[] Dtls =
    [
        SettingsType.Of<DtlsServerSettings>(static () => new(), static settings => settings with { }),
        SettingsType.Of<DtlsClientSettings>(static () => new(), static settings => settings with { }),
    ];

    private static SettingsType Server { get; } = KnownSettings.Of(typeof(CoapServerSettings))!;

    private static SettingsType Client { get; } = KnownSettings.Of(typeof(CoapClientSettings))!;

    [Fact]
    public void The_page_lists_all_keys() => Approved.Check(
        "docs/configuration.md",
        [
            .. Head,
            "## Servers", "", .. SettingsPage.TableOf(isExperimental: false, (Server, ""), (Dtls[0], "Dtls:")), "",
            "## Clients", "", .. SettingsPage.TableOf(isExperimental: false, (Client, ""), (Dtls[1], "Dtls:")), "",
            "## Set in code", "", "These objects are stable, too:", "", .. SettingsPage.SetInCode(isExperimental: false, [.. KnownSettings.All, .. Dtls]), "",
            "## Experimental settings", "", "### Experimental settings of servers", "", .. SettingsPage.TableOf(isExperimental: true, (Server, ""), (Dtls[0], "Dtls:")), "",
            "### Experimental settings of clients", "", .. SettingsPage.TableOf(isExperimental: true, (Client, ""), (Dtls[1], "Dtls:")), "",
            "### Experimental objects", "", .. SettingsPage.SetInCode(isExperimental: true, [.. KnownSettings.All, .. Dtls]),
        ]);

    [Fact]
    public void A_stable_setting_is_not_inside_an_experimental_record()
    {
        var records = KnownSettings.All.Select(type => type.Type).Where(type => type.IsDefined(typeof(ExperimentalAttribute))).ToList();

        records.Should().HaveCount(6);
        KnownSettings.All.SelectMany(type => type.Properties).Where(property => records.Contains(property.PropertyType))
            .Should().OnlyContain(property => property.IsDefined(typeof(ExperimentalAttribute)), "the way to an experimental record is experimental");
    }
}
