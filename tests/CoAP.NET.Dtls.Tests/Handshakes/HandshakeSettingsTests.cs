using CoAP.Dtls;

namespace CoAP.Tests.Dtls.Handshakes;

/// <summary>The machine of a handshake without settings of its own behaves like one of an endpoint.</summary>
public sealed class HandshakeSettingsTests
{
    [Fact]
    public void The_defaults_are_those_of_the_settings_of_an_endpoint() => new HandshakeSettings().Should().Be(new DtlsServerSettings().ForHandshakes());
}
