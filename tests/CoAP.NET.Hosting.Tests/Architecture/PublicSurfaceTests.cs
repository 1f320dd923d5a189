using CoAP.Tests.Architecture;

namespace CoAP.Hosting.Tests.Architecture;

/// <summary>The public surface of this package, as a text that is reviewed before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        var surface = SurfaceWriter.Describe(typeof(CoapServerBuilder).Assembly).ToList();

        surface.Should().Contain(line => line.Contains("CoapServerBuilder"));
        Approved.Check("tests/CoAP.NET.Hosting.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
