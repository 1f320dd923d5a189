using CoAP.Formats;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;

namespace CoAP.Fuzzing.Payloads;

/// <summary>MessagePack below the types: the scan ends where the table of formats in its specification says that an object ends.</summary>
internal sealed class MessagePackItemsTarget() : FuzzTarget("messagepack-items")
{
    public override IReadOnlyList<byte[]> Dictionary => PayloadWords.MessagePack;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        var isObject = MessagePackOracle.TryRead(bytes, out var oracle);
        trace.AddSize("depth", isObject ? oracle.Depth : -1);
        var isScanned = IsScanned(bytes, trace);
        var isRight = isObject && oracle.Depth <= MessagePackScan.MostLevels;
        FuzzFailure.ThrowIf(isScanned && !isRight, $"{Convert.ToHexString(bytes)} is not exactly one object, and is accepted");
        FuzzFailure.ThrowIf(!isScanned && isRight, $"{Convert.ToHexString(bytes)} is exactly one object, and is not accepted");
    }

    private static bool IsScanned(byte[] bytes, Trace trace)
    {
        var scan = default(MessagePackScan);
        try { return scan.TryFinish(bytes, PayloadLimits.Default, origin: 0) && scan.Length == bytes.Length; }
        catch (CoapPayloadException error)
        {
            trace.AddText("error", error.Message);
            return false;
        }
    }
}
