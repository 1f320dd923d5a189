using CoAP.Packaging;

namespace CoAP.Packages.Tests;

public sealed class PackageReadmeTests
{
    private const string Page = "See [DTLS](../../docs/dtls.md#keys) and [RFC 7252](https://www.rfc-editor.org/rfc/rfc7252).";

    [Theory]
    [InlineData("https://example.org/tree")]
    [InlineData("https://example.org/tree/")]
    public void Links_into_the_repository_get_its_address(string pagesUrl) => PackageReadme.From(Page, pagesUrl)
        .Should().Be("See [DTLS](https://example.org/tree/docs/dtls.md#keys) and [RFC 7252](https://www.rfc-editor.org/rfc/rfc7252).");

    [Fact]
    public void Without_an_address_the_file_is_named() => PackageReadme.From(Page, "")
        .Should().Be("See DTLS (`docs/dtls.md#keys`) and [RFC 7252](https://www.rfc-editor.org/rfc/rfc7252).");
}
