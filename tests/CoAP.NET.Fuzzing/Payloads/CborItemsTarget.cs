using CoAP.Formats;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Fuzzing.Parsers;

namespace CoAP.Fuzzing.Payloads;

/// <summary>
/// CBOR below the contracts: the reader takes what the decoder of ASP.NET Core's shared framework takes, and sees the same values in it.
/// </summary>
internal sealed class CborItemsTarget() : FuzzTarget("cbor-items")
{
    private static readonly PayloadLimits Limits = new() { MaxDepth = 500 };

    public override IReadOnlyList<byte[]> Dictionary => Words.Cbor;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        var oracle = CborOracle.Read(bytes);
        trace.AddSize("depth", oracle?.Depth ?? -1);
        // The two known differences, and our limit.
        if (oracle is { HasInvalidText: true } or { HasLongSimpleValue: true } || oracle?.Depth > Limits.MaxDepth) { oracle = null; }
        var skipped = Try(() => Skip(bytes), trace);
        var seen = Try(() => ItemNotation.Of(new CborReader(bytes, Limits), bytes), trace);
        trace.AddShape(seen ?? "");
        FuzzFailure.ThrowIf(seen is not null && skipped is null, $"{Convert.ToHexString(bytes)} can be read as {seen}, and cannot be skipped");
        if (oracle is null)
        {
            FuzzFailure.ThrowIf(seen is not null && !HasTags(seen), $"{Convert.ToHexString(bytes)} is read as {seen}, and should not be");
            return;
        }
        var right = CborNotation.Of(bytes);
        FuzzFailure.ThrowIf(seen is null, $"{Convert.ToHexString(bytes)} cannot be read, and should be {right}");
        FuzzFailure.ThrowIf(seen != right, $"{Convert.ToHexString(bytes)} is read as {seen}, and should be {right}");
    }

    // What is in a tagged item was skipped, and with it texts that are not valid UTF-8.
    private static bool HasTags(string notation) =>
        notation.Contains("tagged ", StringComparison.Ordinal) || notation.Contains("time ", StringComparison.Ordinal);

    private static string Skip(byte[] bytes)
    {
        var reader = new CborReader(bytes, Limits);
        reader.Skip();
        reader.ReadEnd();
        return "";
    }

    private static string? Try(Func<string> read, Trace trace)
    {
        try { return read(); }
        catch (CoapPayloadException error)
        {
            trace.AddText("error", error.Message);
            return null;
        }
    }
}
