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
        "This page is generated: `COAP_APPROVE=1 dotnet test tests/CoAP.NET.Hosting.Tests` writes it.",
        "",
    ];

    [Fact]
    public void The_page_lists_all_keys() => Approved.Check(
        "docs/configuration.md",
        [
            .. Head, "## Servers", "", .. SettingsPage.TableOf(typeof(CoapServerSettings)), "", "## Clients", "",
            .. SettingsPage.TableOf(typeof(CoapClientSettings)),
        ]);
}
