using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Fuzzing.Parsers;

/// <summary>What holds for each message that was read.</summary>
internal static class Messages
{
    /// <summary>Creates all typed options, and traces what there is.</summary>
    public static void Examine(CoapMessage message, Trace trace, int perByte)
    {
        var size = message.Options.Wire.Length;
        var options = Memory.Bounded(() => message.Options.ToArray(), size, perByte);
        FuzzFailure.ThrowIf(options.Length != message.Options.Count, $"{options.Length} options were enumerated, {message.Options.Count} were counted");
        trace.Add("type", (long)message.Type);
        trace.Add("code", message.Code.Value);
        trace.AddSize("token", message.Token.Length);
        trace.AddSize("options", options.Length);
        trace.AddSize("payload", message.Payload.Length);
        foreach (var option in options) { trace.Add($"option {option.GetType().Name}", option.Number < 64 ? option.Number : 64); }
        var isUnrecognized = OptionCheck.FindUnrecognizedCritical(message.Options, OptionRegistry.Default, message.Code, out var number);
        trace.AddSize("unrecognized", isUnrecognized ? number : -1);
        if (isUnrecognized) { FuzzFailure.ThrowIf(OptionCheck.Explain(message.Options, OptionRegistry.Default, message.Code, number).Length == 0, "no explanation"); }
        FuzzFailure.ThrowIf(message.ToString()!.Length == 0, "no text");
    }

    /// <summary>What is written reads the same: once as it was received, once from typed options alone.</summary>
    public static void WriteAndReadAgain(CoapMessageSerializer serializer, CoapMessage message)
    {
        var written = serializer.Serialize(message);
        FuzzFailure.ThrowIf(written.Length != serializer.GetSize(message), "the size differs from what was written");
        PlainMessage.Compare(PlainMessage.Of(message), serializer.Deserialize(written.AsSpan()), "written and read");
        var typed = TryCreate(message.Options);
        if (typed is not { } options) { return; }
        var copy = new CoapMessage(message.Type, message.Code, message.MessageId, message.Token, options, message.Payload);
        var again = serializer.Deserialize(serializer.Serialize(copy).AsSpan());
        FuzzFailure.ThrowIf(!again.Options.SequenceEqual(options), $"typed options {options} read as {again.Options}");
    }

    // A set that somebody received may repeat what must not be repeated. It cannot be created.
    private static OptionSet? TryCreate(OptionSet received)
    {
        try { return OptionSet.Create([.. received]); }
        catch (ArgumentException) { return null; }
    }
}
