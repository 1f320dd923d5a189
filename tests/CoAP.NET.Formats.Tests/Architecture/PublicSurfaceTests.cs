using CoAP.Tests.Architecture;
using Google.Protobuf.WellKnownTypes;

namespace CoAP.Formats.Tests.Architecture;

/// <summary>The public surface of these packages, as a text that is reviewed before it changes.</summary>
public sealed class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one()
    {
        System.Type[] one = [typeof(CborFormat), typeof(MessagePackFormat), typeof(ProtobufFormat<Timestamp>)];
        var surface = one.SelectMany(static type => SurfaceWriter.Describe(type.Assembly)).ToList();

        surface.Should().Contain(line => line.Contains("CborFormat"));
        Approved.Check("tests/CoAP.NET.Formats.Tests/Architecture/PublicSurface.approved.txt", surface);
    }
}
