namespace CoAP.Hosting.Tests.Configuration;

/// <summary>Errors of a configuration never contain a secret, whatever is wrong with it.</summary>
public sealed class SecretTests
{
    private const string Secret = "correct-horse-battery-staple-hunter2";

    private const string Pem = "-----BEGIN PRIVATE KEY-----\nMIGHAgEAMBMGByqGSM49\n-----END PRIVATE KEY-----";

    // The same on one line, as it stands between the first and the last line of PEM.
    private const string Der = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIj" +
        "JCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0BBQkNERUZHSElKS0xNTk9QUVJTVFVWV1hZWltcXV5fYGFiY2Rl";

    private const string LongSecret = Secret + Secret;

    private static readonly CoapSettingsSection<CoapServerSettings, KeyedSecurity> Keyed = new("Dtls", () =>
        new(), settings => settings with { });

    [Theory]
    [InlineData("Dtls:TicketSecret", Secret,
        "Coap:Dtls:TicketSecret is a text of 36 characters, which is not shown; write bytes in hexadecimal digits, such as 0a1b.")]
    [InlineData("Dtls:TicketSecret", "0a1b0a1b0a1b0a1",
        "Coap:Dtls:TicketSecret is a text of 15 characters, which is not shown; write bytes in hexadecimal digits, such as 0a1b.")]
    [InlineData("Dtls:TicketSecret", "0a1b2c",
        "Coap:Dtls:TicketSecret is a text of 6 characters, which is not shown: The secret has 3 bytes; at least 32 are required.")]
    [InlineData("Dtls:Password", "hunter2",
        "Coap:Dtls:Password is a text of 7 characters, which is not shown: The password '…' is too short.")]
    [InlineData("Dtls:Keys", "me:hunter2", "Coap:Dtls:Keys: There is no room for keys.")]
    [InlineData("Dtls", "hunter2", "Coap:Dtls has a value, but it is a section; its keys are *.")]
    [InlineData("Dtls:Wait", Secret, "Coap:Dtls:Wait is a text of 36 characters, which is not shown; write a time with a unit*")]
    [InlineData("ShutdownTimeout", Secret,
        "Coap:ShutdownTimeout is a text of 36 characters, which is not shown; write a time with a unit*")]
    [InlineData("Dtls:TicketSecrt", Secret, "Coap:Dtls:TicketSecrt is not a setting; did you mean TicketSecret?")]
    [InlineData("Tls:KeyFile", Pem, "Coap:Tls:KeyFile contains a key or certificate; write the path of a PEM file.")]
    [InlineData("Tls:CertificateFile", Pem, "Coap:Tls:CertificateFile contains a key or certificate; write the path of a PEM file.")]
    [InlineData("Tls:TrustedRootsFile", Pem, "Coap:Tls:TrustedRootsFile contains a key or certificate; write the path of a PEM file.")]
    [InlineData("Tls:KeyFile", Der, "Coap:Tls:KeyFile contains a key or certificate; write the path of a PEM file.")]
    [InlineData("Endpoints", LongSecret, "Coap:Endpoints is a text of 72 characters, which is not shown: *")]
    public void A_wrong_value_is_reported_without_the_secret(string key, string value, string problem)
    {
        var applying = () => new CoapSettingsBinder([Keyed]).Apply(new CoapServerSettings(), CoapSettingsBinderTests.Section((key, value)));

        var error = applying.Should().Throw<CoapConfigurationException>()
            .WithMessage($"The configuration of CoAP is wrong: {problem}").Which;
        error.ToString().Should().NotContainEquivalentOf(value).And.NotContain("MIGHAgEAMBMG");
    }

    [Fact]
    public void A_key_in_the_place_of_the_file_with_the_key_is_not_shown()
    {
        var section = CoapSettingsBinderTests.Section(("Tls:CertificateFile", "missing.pem"), ("Tls:KeyFile", Pem));

        var applying = () => new CoapSettingsBinder().Apply(new CoapServerSettings(), section);

        applying.Should().Throw<CoapConfigurationException>().Which.ToString().Should().NotContain("MIGHAgEAMBMG");
    }

    private sealed record KeyedSecurity : DatagramSecurity
    {
        public ReadOnlyMemory<byte>? TicketSecret
        {
            get;
            init => field = value is not { Length: < 32 and var length }
                ? value
                : throw new ArgumentException($"The secret has {length} bytes; at least 32 are required.", nameof(TicketSecret));
        }

        public string? Password
        {
            get;
            init => field = value is { Length: >= 8 }
                ? value
                : throw new ArgumentException($"The password '{value}' is too short.", nameof(Password));
        }

        public IReadOnlyList<string> Keys
        {
            get;
            init => field = value.Count == 0 ? value : throw new ArgumentException("There is no room for keys.", nameof(Keys));
        } = [];

        public TimeSpan Wait { get; init; }

        protected override DatagramSecurityLayer Open(TimeProvider timeProvider) =>
            throw new NotSupportedException("The test opens no layer.");
    }
}
