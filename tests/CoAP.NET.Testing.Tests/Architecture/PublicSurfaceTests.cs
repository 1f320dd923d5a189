using CoAP.Tests.Architecture;

namespace CoAP.Testing.Tests.Architecture;

/// <summary>The public surface of this package, as a text that is reviewed before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        var surface = SurfaceWriter.Describe(typeof(SimulatedNetwork).Assembly).ToList();

        surface.Should().Contain(line => line.Contains("SimulatedNetwork"));
        Approved.Check("tests/CoAP.NET.Testing.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
