using CoAP.FormatComparison.Formats;
using CoAP.FormatComparison.Model;

namespace CoAP.FormatComparison.Measuring;

/// <summary>Measures cases, and verifies each run: the bytes equal those of the first run, and the deserialized value equals the original.</summary>
internal sealed class Measurement(Timing timing)
{
    private readonly ArrayBufferWriter<byte> _output = new();

    /// <summary>Measures the synchronous forms over a buffer. The buffer is reused, so it does not count as allocated.</summary>
    /// <remarks>A format that cannot represent the data, because of its limit of depth, gives a result with a failure.</remarks>
    public Result Measure(DataSet data, Case one)
    {
        try
        {
            var bytes = one.ToBytes();
            var serialize = timing.Measure(() => Serialize(one), () => Expect(_output.WrittenSpan.SequenceEqual(bytes), data, one));
            object? value = null;
            var deserialize = timing.Measure(() => value = one.Deserialize(bytes), () => Expect(one.Matches(value!), data, one));
            return new Result(data, one.Format, bytes.Length, serialize, deserialize);
        }
        catch (Exception exception) when (exception is CoapPayloadException or ArgumentException)
        {
            return new Result(data, one.Format, 0, null, null, exception.Message);
        }
    }

    /// <summary>Measures a list of integers as a whole over a buffer, and item by item over a stream in memory.</summary>
    public FormCosts MeasureForms(DataSet data, IntSequence sequence, IntStream form)
    {
        var whole = Measure(data, data.Cases.First(one => one.Format == form.Format));
        var values = sequence.ToArray();
        using var stream = new MemoryStream();
        var sync = Measure(sequence, stream, () => form.Write(stream, values), list => form.Read(stream, list));
        (Cost, Cost)? async = form is not { WriteAsync: { } write, ReadAsync: { } read } ? null : Measure(
            sequence, stream, () => write(stream, values).GetAwaiter().GetResult(), list => read(stream, list).GetAwaiter().GetResult());
        return new FormCosts(form.Format, whole, sync, async);
    }

    private (Cost Serialize, Cost Deserialize) Measure(IntSequence sequence, MemoryStream stream, Action write, Action<IntCollector> read)
    {
        var list = new IntCollector();
        var serialize = timing.Measure(
            () =>
            {
                stream.SetLength(0);
                write();
            },
            () =>
            {
                stream.Position = 0;
                read(list = new IntCollector());
                Expect(sequence.Matches(list));
            });
        var deserialize = timing.Measure(
            () =>
            {
                stream.Position = 0;
                read(list = new IntCollector());
            },
            () => Expect(sequence.Matches(list)));
        return (serialize, deserialize);

        static void Expect(bool isRight)
        {
            if (!isRight) { throw new InvalidOperationException("The list that was read is not the list that was written."); }
        }
    }

    private void Serialize(Case one)
    {
        _output.ResetWrittenCount();
        one.Serialize(_output);
    }

    private static void Expect(bool isRight, DataSet data, Case one)
    {
        if (!isRight) { throw new InvalidOperationException($"{one.Format} did not return the same data for '{data.Name}'."); }
    }
}
