using CoAP.Formats;
using CoAP.Tests.Architecture;

namespace CoAP.Hosting.Tests.Architecture;

/// <summary>What the packages on top make public can be implemented by their users.</summary>
public sealed class OpenTypesTests
{
    [Theory]
    [InlineData(typeof(CoapServerBuilder))]
    [InlineData(typeof(CborFormat))]
    public void Users_can_implement_all_members_of_what_they_can_implement(Type ofPackage)
    {
        ofPackage.Assembly.GetExportedTypes().Should().Contain(type => type.IsInterface || type.IsAbstract);
        OpenTypes.MembersOutOfReach(ofPackage.Assembly).Should().BeEmpty();
    }
}
