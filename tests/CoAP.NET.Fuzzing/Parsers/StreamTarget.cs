using System.Buffers;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Serialization;

namespace CoAP.Fuzzing.Parsers;

/// <summary>The format of TCP, message after message, in agreement with an oracle (RFC 8323, section 3.2). Each step is what one read returns.</summary>
internal sealed class StreamTarget() : FuzzTarget("stream")
{
    private const int MaxSize = 1 << 20;

    private static readonly CoapMessageSerializer Serializer = new StreamSerializer(CoAP.Options.OptionRegistry.Default) { MaxSize = MaxSize };

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        var expected = Expect(bytes, out var end);
        trace.Add("end", (long)end);
        trace.AddSize("messages", expected.Count);
        Memory.Bounded(() => ReadAll(bytes), bytes.Length, perByte: 100);
        ReadSequence(bytes, expected, end, trace);
        ReadStream(input, expected, end);
    }

    private static List<PlainMessage> Expect(byte[] bytes, out StreamVerdict end)
    {
        var expected = new List<PlainMessage>();
        while ((end = StreamOracle.Read(bytes, out var message, out var length)) == StreamVerdict.Message)
        {
            expected.Add(message!);
            bytes = bytes[(int)length..];
        }
        if (end == StreamVerdict.NeedsMore && StreamOracle.Read(bytes, out _, out var announced) == StreamVerdict.NeedsMore && announced > MaxSize) { end = StreamVerdict.Malformed; }
        return expected;
    }

    private static bool ReadAll(byte[] bytes)
    {
        var rest = new ReadOnlySequence<byte>(bytes);
        while (Serializer.Read(ref rest, out _, out _) == ReadOutcome.Message) { }
        return true;
    }

    private static void ReadSequence(byte[] bytes, List<PlainMessage> expected, StreamVerdict end, Trace trace)
    {
        var rest = new ReadOnlySequence<byte>(bytes);
        foreach (var one in expected)
        {
            var outcome = Serializer.Read(ref rest, out var message, out var error);
            FuzzFailure.ThrowIf(outcome != ReadOutcome.Message, $"the oracle reads {one}, the library {outcome} {error}");
            PlainMessage.Compare(one, message, "stream");
            Messages.Examine(message!, trace, perByte: 160);
            if (message!.Code.IsEmpty) { continue; }
            Messages.WriteAndReadAgain(Serializer, message);
        }
        var last = Serializer.Read(ref rest, out var none, out var reason);
        trace.Add("error", (long)reason);
        var wanted = end == StreamVerdict.Malformed ? ReadOutcome.Malformed : ReadOutcome.NeedMore;
        FuzzFailure.ThrowIf(last != wanted || none is not null, $"the oracle ends with {end}, the library with {last} {reason}");
    }

    // A stream that hands out the steps one by one gives the same messages, and its end in the middle of one is an error.
    private static void ReadStream(FuzzInput input, List<PlainMessage> expected, StreamVerdict end)
    {
        using var stream = new SteppedStream(input.Steps);
        foreach (var one in expected) { PlainMessage.Compare(one, Serializer.Deserialize(stream), "steps"); }
        var isAtEnd = expected.Count > 0 || input.Length > 0;
        try
        {
            var none = Serializer.Deserialize(stream);
            FuzzFailure.ThrowIf(none is not null, $"the oracle ends with {end}, the stream with {none}");
            FuzzFailure.ThrowIf(end == StreamVerdict.Malformed, "the oracle ends with an error, the stream without one");
        }
        catch (CoapFormatException exception)
        {
            FuzzFailure.ThrowIf(!isAtEnd || exception.Reason == FormatError.None, $"an error without a reason: {exception.Message}");
        }
    }
}
