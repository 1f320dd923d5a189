using System.Buffers;
using CoAP.Fuzzing.Engine;
using CoAP.Fuzzing.Parsers;

namespace CoAP.Fuzzing.Payloads;

/// <summary>
/// A payload format. Only <see cref="CoapPayloadException"/> escapes, memory is bounded by the input, and a value that was read reads equal after it
/// was written.
/// </summary>
/// <param name="name">The name of its folder.</param>
/// <param name="format">The format.</param>
/// <param name="describe">Returns a text that differs for values that differ.</param>
/// <param name="words">The dictionary.</param>
/// <param name="unwritable">Part of the error with which the format refuses to write some values that it reads; none by default.</param>
internal sealed class PayloadTarget<T>(string name, IPayloadFormat format, Func<T, string> describe, IReadOnlyList<byte[]> words, string? unwritable = null)
    : FuzzTarget(name)
{
    private const int PerByte = 256, FixedSum = 16 << 10;

    public override IReadOnlyList<byte[]> Dictionary => words;

    public override void Run(FuzzInput input, Trace trace)
    {
        var bytes = input.Joined();
        var (value, error) = Memory.Bounded(() => Read(bytes), bytes.Length, PerByte, FixedSum);
        if (error is not null)
        {
            trace.AddText("error", error.Message);
            var isWithin = error.Offset is not (< 0) && !(error.Offset > bytes.Length);
            FuzzFailure.ThrowIf(!isWithin || error.Message.Length == 0, $"'{error.Message}' is at byte {error.Offset} of {bytes.Length}");
            return;
        }
        trace.AddSize("read", bytes.Length);
        trace.AddShape(describe(value!));
        if (TryWrite(value!) is not { } written) { return; }
        trace.AddSize("written", written.Length);
        var (again, problem) = Read(written);
        var hex = Convert.ToHexString(written);
        FuzzFailure.ThrowIf(problem is not null, $"what was read is written as {hex}, which cannot be read: {problem?.Message}");
        var (first, second) = (describe(value!), describe(again!));
        FuzzFailure.ThrowIf(first != second, $"{first} is written as {hex}, which reads as {second}");
        FuzzFailure.ThrowIf(!Write(again!).AsSpan().SequenceEqual(written), "the second writing differs from the first");
    }

    private (T? Value, CoapPayloadException? Error) Read(byte[] payload)
    {
        try { return (format.Read<T>(payload), null); }
        catch (CoapPayloadException error) { return (default, error); }
    }

    private byte[]? TryWrite(T value)
    {
        try { return Write(value); }
        catch (ArgumentException refusal) when (unwritable is not null && refusal.Message.Contains(unwritable, StringComparison.Ordinal)) { return null; }
    }

    private byte[] Write(T value)
    {
        var output = new ArrayBufferWriter<byte>();
        format.Write(output, value);
        return output.WrittenSpan.ToArray();
    }
}
