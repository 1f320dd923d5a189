using CoAP;
using CoAP.Formats;
using Google.Protobuf.WellKnownTypes;
using PolyType;

namespace SampleRecipes;

/// <summary>What a device reports.</summary>
internal sealed record Reading(string Device, long Sequence, double Celsius);

[GenerateShapeFor<Reading>]
internal sealed partial class DeviceShapes;

/// <summary>The formats that have packages of their own.</summary>
internal static class Payloads
{
    public static PayloadFormats WithMessagePack { get; } = PayloadFormats.Of(new MessagePackFormat(DeviceShapes.GeneratedTypeShapeProvider));

    public static PayloadFormats WithProtobuf { get; } = PayloadFormats.Of(new ProtobufFormat<Timestamp>(Timestamp.Parser));
}
