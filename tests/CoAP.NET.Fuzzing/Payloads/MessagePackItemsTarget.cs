using CoAP.Formats;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;

namespace CoAP.Fuzzing.Payloads;

/// <summary>MessagePack below the contracts: the reader skips exactly what the table of formats in its specification calls an object.</summary>
internal sealed class MessagePackItemsTarget() : FuzzTarget("messagepack-items")
{
    private static readonly PayloadLimits Limits = new() { MaxDepth = 500 };

    public override IReadOnlyList<byte[]> Dictionary => PayloadWords.MessagePack;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        var isObject = MessagePackOracle.TryRead(bytes, out var oracle);
        trace.AddSize("depth", isObject ? oracle.Depth : -1);
        var isSkipped = IsSkipped(bytes, trace);
        var isRight = isObject && oracle.HasOnlyText && oracle.Depth <= Limits.MaxDepth;
        FuzzFailure.ThrowIf(isSkipped && !isRight, $"{Convert.ToHexString(bytes)} is not exactly one object, and is skipped");
        FuzzFailure.ThrowIf(!isSkipped && isRight, $"{Convert.ToHexString(bytes)} is exactly one object, and is not skipped");
    }

    private static bool IsSkipped(byte[] bytes, Trace trace)
    {
        var reader = new MessagePackReader(bytes, Limits);
        try
        {
            reader.Skip();
            reader.ReadEnd();
            return true;
        }
        catch (CoapPayloadException error)
        {
            trace.AddText("error", error.Message);
            return false;
        }
    }
}
