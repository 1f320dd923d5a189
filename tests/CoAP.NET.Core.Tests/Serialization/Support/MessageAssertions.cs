using CoAP.Options;

namespace CoAP.Serialization;

internal static class MessageAssertions
{
    /// <summary>Compares each part of two messages; the options one by one, as typed ones.</summary>
    public static void ShouldBe(this CoapMessage? actual, CoapMessage expected, string because = "")
    {
        actual.Should().NotBeNull(because);
        (actual!.Type, actual.Code, actual.MessageId, actual.Token).Should().Be((expected.Type, expected.Code, expected.MessageId, expected.Token), because);
        actual.Options.Cast<CoapOption>().Should().Equal(expected.Options.Cast<CoapOption>(), because);
        actual.Payload.Span.SequenceEqual(expected.Payload.Span).Should().BeTrue(because);
    }
}
