using CoAP.Tests.Architecture;

namespace CoAP.Formats.Tests.Architecture;

/// <summary>The public surface of this package, as a text that is reviewed before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        var surface = SurfaceWriter.Describe(typeof(CborFormat).Assembly).ToList();

        surface.Should().Contain(line => line.Contains("CborFormat"));
        Approved.Check("tests/CoAP.NET.Formats.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
