using System.Xml.Linq;
using CoAP.Packaging;

namespace CoAP.Packages.Tests;

public sealed class VisibleDocumentationTests
{
    [Fact]
    public void Invisible_members_are_removed()
    {
        var document = XDocument.Parse("<doc><members>\n<member name=\"T:A\">a</member>\n<member name=\"T:B\">b</member>\n</members></doc>", LoadOptions.PreserveWhitespace);

        VisibleDocumentation.Keep(document, new HashSet<string> { "T:A" });

        document.ToString(SaveOptions.DisableFormatting).Should().Be("<doc><members>\n<member name=\"T:A\">a</member>\n</members></doc>");
    }

    [Fact]
    public void A_reference_to_what_is_removed_is_an_error()
    {
        var document = XDocument.Parse("<doc><members><member name=\"T:A\"><summary>See <see cref=\"T:B\"/>.</summary></member><member name=\"T:B\">b</member></members></doc>");

        document.Invoking(one => VisibleDocumentation.Keep(one, new HashSet<string> { "T:A" })).Should().Throw<InvalidDataException>().WithMessage("*T:A refers to T:B*");
    }
}
