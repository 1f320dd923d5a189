using System.Buffers;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Oracles;
using CoAP.Serialization;

namespace CoAP.Fuzzing.Parsers;

/// <summary>The format of datagrams, in agreement with an oracle (RFC 7252, section 3).</summary>
internal sealed class DatagramTarget() : FuzzTarget("datagram")
{
    private static readonly CoapMessageSerializer Serializer = CoapMessageSerializer.Datagram;

    public override IReadOnlyList<byte[]> Dictionary => Words.Messages;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        FormatError error = default;
        CoapMessage? message = null;
        Memory.Bounded(() => Serializer.TryRead(bytes.AsSpan(), out message, out error, out _), bytes.Length, perByte: 2, fixedSum: 1024);
        trace.Add("error", (long)error);
        PlainMessage.Compare(DatagramOracle.Read(bytes), message, "datagram");
        CompareFaces(bytes, message, error);
        if (message is null) { return; }
        Messages.Examine(message, trace, perByte: 160);
        Messages.WriteAndReadAgain(Serializer, message);
    }

    private static void CompareFaces(byte[] bytes, CoapMessage? message, FormatError error)
    {
        FuzzFailure.ThrowIf((error == FormatError.None) != (message is not null), $"the error is {error}, and the message {message}");
        var inMemory = Serializer.TryRead(bytes.AsMemory(), out var second, out var secondError, out _);
        FuzzFailure.ThrowIf(inMemory != (message is not null) || secondError != error, $"a span gives {error}, memory {secondError}");
        PlainMessage.Compare(message is null ? null : PlainMessage.Of(message), second, "memory");
        try { Serializer.Deserialize(new ReadOnlySequence<byte>(bytes)); }
        catch (CoapFormatException exception) { FuzzFailure.ThrowIf(exception.Reason != error, $"a span gives {error}, a sequence {exception.Reason}"); }
    }
}
