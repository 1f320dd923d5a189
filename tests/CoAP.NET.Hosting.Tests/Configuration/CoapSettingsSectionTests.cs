
namespace CoAP.Hosting.Tests.Configuration;

/// <summary>A package binds the section of its own settings.</summary>
public sealed class CoapSettingsSectionTests
{
    private static readonly CoapSettingsSection<CoapServerSettings, ForeignSecurity> Foreign = new("Dtls", () => new(), settings => settings with { });

    [Fact]
    public void Reads_a_section_into_the_record_of_another_package()
    {
        var bound = Apply(new CoapServerSettings(), ("Dtls:Wait", "3s"), ("Dtls:Names", "a;b"), ("Dtls:Prefix", "0a1b"));

        var security = bound.Dtls.Should().BeOfType<ForeignSecurity>().Subject;
        security.Wait.Should().Be(TimeSpan.FromSeconds(3));
        security.Names.Should().Equal("a", "b");
        security.Prefix.ToArray().Should().Equal(0x0a, 0x1b);
    }

    [Fact]
    public void Starts_from_the_given_record()
    {
        var given = new CoapServerSettings { Dtls = new ForeignSecurity { Wait = TimeSpan.FromSeconds(9) } };

        var bound = Apply(given, ("Dtls:Prefix", "ff"));

        bound.Dtls.Should().BeOfType<ForeignSecurity>().Which.Wait.Should().Be(TimeSpan.FromSeconds(9));
    }

    [Theory]
    [InlineData("Dtls:Wayt", "1s", "*Coap:Dtls:Wayt is not a setting; did you mean Wait?")]
    [InlineData("Dtls:Wait", "0s", "*Coap:Dtls:Wait is \"0s\": A wait must be positive.")]
    [InlineData("Dtls:Prefix", "xy",
        "*Coap:Dtls:Prefix is a text of 2 characters, which is not shown; write bytes in hexadecimal digits, such as 0a1b.")]
    [InlineData("Dtls:Action", "x", "*Coap:Dtls:Action cannot be set by text*")]
    public void Reports_errors_as_everywhere(string key, string value, string message)
    {
        var applying = () => Apply(new CoapServerSettings(), (key, value));

        applying.Should().Throw<CoapConfigurationException>().WithMessage(message);
    }

    [Fact]
    public void Refuses_a_record_of_another_type()
    {
        var applying = () => Apply(new CoapServerSettings { Dtls = new OtherSecurity() }, ("Dtls:Wait", "1s"));

        applying.Should().Throw<InvalidOperationException>()
            .WithMessage("Coap:Dtls is OtherSecurity without the configuration; the section is registered for ForeignSecurity.");
    }

    private static CoapServerSettings Apply(CoapServerSettings settings, params (string Key, string? Value)[] values) =>
        new CoapSettingsBinder([Foreign]).Apply(settings, CoapSettingsBinderTests.Section(values));

    private sealed record ForeignSecurity : DatagramSecurity
    {
        public TimeSpan Wait { get; init => field = value > TimeSpan.Zero ? value : throw new ArgumentException("A wait must be positive.", nameof(Wait)); } = TimeSpan.FromSeconds(1);

        public IReadOnlyList<string> Names { get; init; } = [];

        public ReadOnlyMemory<byte> Prefix { get; init; }

        public Action? Action { get; init; }

        protected override DatagramSecurityLayer Open(TimeProvider timeProvider) =>
            throw new NotSupportedException("The test opens no layer.");
    }

    private sealed record OtherSecurity : DatagramSecurity
    {
        protected override DatagramSecurityLayer Open(TimeProvider timeProvider) =>
            throw new NotSupportedException("The test opens no layer.");
    }
}
