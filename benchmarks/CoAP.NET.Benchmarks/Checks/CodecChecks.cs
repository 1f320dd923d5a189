using System.Runtime.CompilerServices;

namespace CoAP.Benchmarks;

/// <summary>The codec: allocated bytes, time against hand-written code, and time against the number of options and bytes.</summary>
/// <param name="seed">The seed of the messages.</param>
/// <param name="form">With <see cref="RunForm.Full"/> every ratio takes all its time. Otherwise rounds end as soon as the ratio is on target.</param>
internal sealed class CodecChecks(int seed, RunForm form)
{
    private const double SmallRatio = 1.3;
    private const double LargeRatio = 1.5;
    private const double AsyncRatio = 1.15;

    // The object around an ETag's bytes, and around a Block's number.
    private const int OneObject = 80;

    private readonly Turns _turns = new(warmUp: TimeSpan.FromMilliseconds(300), time: TimeSpan.FromSeconds(form.Choose(1, 1, 3, 3)));

    public IAsyncEnumerable<Check> Small() => SmallMessage.All.ToAsyncEnumerable().SelectMany(Small);

    public async IAsyncEnumerable<Check> Large()
    {
        foreach (var (options, length, payload) in new[] { (0, 7, 65_536), (1_024, 7, 0), (1_024, 255, 4_096), (16_384, 7, 65_536) })
        {
            var name = $"{options} options of {length} bytes, {payload} of payload";
            var message = GridMessage.Create(seed, options, length, payload);
            var bytes = Encode(message);
            var (plain, stream) = (PlainParser.Parse(bytes)!, new MemoryStream(bytes));
            yield return await TimeAsync($"decoded: {name}", n => Loop(n, () => PlainParser.Parse(bytes)!), n => Loop(n, () => Decode(bytes)), LargeRatio);
            yield return await TimeAsync($"encoded: {name}", n => Loop(n, () => PlainWriter.Write(plain)), n => Loop(n, () => Encode(message)), LargeRatio);
            yield return await TimeAsync(
                $"from a stream, async against sync: {name}",
                n => Loop(n, () => CoapMessageSerializer.Datagram.Deserialize(Rewind(stream))),
                n => Await(n, () => CoapMessageSerializer.Datagram.DeserializeAsync(Rewind(stream))),
                AsyncRatio);
        }
    }

    /// <summary>Measures four times as much of everything. A linear cost has a ratio of four.</summary>
    public async IAsyncEnumerable<Check> Growth()
    {
        const int Factor = 4;
        foreach (var (options, payload) in new[] { (2_048, 0), (0, 131_072) })
        {
            var (few, many) = (GridMessage.Create(seed, options, 7, payload), GridMessage.Create(seed, options * Factor, 7, payload * Factor));
            var (fewBytes, manyBytes) = (Encode(few), Encode(many));
            var name = options > 0 ? $"{options} options and {Factor} times as many" : $"{payload} bytes and {Factor} times as many";
            yield return await TimeAsync($"decoded: {name}", n => Loop(n, () => Decode(fewBytes)), n => Loop(n, () => Decode(manyBytes)), Factor);
            yield return await TimeAsync($"encoded: {name}", n => Loop(n, () => Encode(few)), n => Loop(n, () => Encode(many)), Factor);
            if (options == 0) { continue; }
            yield return await TimeAsync($"typed: {name}", n => Loop(n, () => Typed(fewBytes)), n => Loop(n, () => Typed(manyBytes)), Factor);
            var (fewOptions, manyOptions) = (few.Options.ToArray(), many.Options.ToArray());
            yield return await TimeAsync($"built: {name}", n => Loop(n, () => OptionSet.Create(fewOptions)), n => Loop(n, () => OptionSet.Create(manyOptions)), Factor);
        }
    }

    private async IAsyncEnumerable<Check> Small(SmallMessage message)
    {
        var name = message.Name;
        yield return await TimeAsync($"{name} decoded", n => Loop(n, message.HandWrittenDecode), n => Loop(n, message.Decode), SmallRatio);
        yield return await TimeAsync($"{name} decoded, all options typed", n => Loop(n, message.HandWrittenRead), n => Loop(n, message.ReadTyped), SmallRatio);
        yield return await TimeAsync($"{name} decoded, options got by type", n => Loop(n, message.HandWrittenRead), n => Loop(n, message.GetTyped), SmallRatio);
        yield return await TimeAsync($"{name} encoded", n => Loop(n, message.HandWrittenEncode), n => Loop(n, message.Encode), SmallRatio);
        yield return await TimeAsync($"{name} from a stream, async against sync", n => Loop(n, message.FromStream), n => Await(n, message.FromStreamAsync), AsyncRatio);
        yield return Bytes($"{name} decoded", n => Loop(n, message.HandWrittenDecode), n => Loop(n, message.Decode));
        yield return Bytes($"{name} decoded, all options typed", n => Loop(n, message.HandWrittenRead), n => Loop(n, message.ReadTyped), OneObject);
        yield return Bytes($"{name} encoded", n => Loop(n, message.HandWrittenEncode), n => Loop(n, message.Encode));
        yield return Bytes($"{name} from a stream, async against sync", n => Loop(n, message.FromStream), n => Await(n, message.FromStreamAsync));
    }

    private static CoapMessage Decode(byte[] bytes) => CoapMessageSerializer.Datagram.Deserialize(bytes.AsSpan());

    private static object Typed(byte[] bytes) => Decode(bytes).Options.GetAll<UriPath>();

    private static byte[] Encode(CoapMessage message) => CoapMessageSerializer.Datagram.Serialize(message);

    private static MemoryStream Rewind(MemoryStream stream)
    {
        stream.Position = 0;
        return stream;
    }

    // The limit is the allocation of hand-written code and a small allowance.
    private static Check Bytes(string what, Action<int> baseline, Action<int> ours, int more = 16) =>
        Check.Count($"{what}: bytes", Allocated(ours), Allocated(baseline) + more, "bytes");

    private async ValueTask<Check> TimeAsync(string what, Action<int> baseline, Action<int> ours, double target)
    {
        var (first, second) = await _turns.MeasureAsync(Done(baseline), Done(ours), form == RunForm.Full ? 0 : target);
        return Check.Ratio(what, first, second, target);
    }

    private static Func<int, ValueTask> Done(Action<int> work) => count =>
    {
        work(count);
        return default;
    };

    // The bytes that one call allocates on this thread.
    private static double Allocated(Action<int> work)
    {
        const int Count = 1_000;
        work(Count);
        var before = GC.GetAllocatedBytesForCurrentThread();
        work(Count);
        return (GC.GetAllocatedBytesForCurrentThread() - before) / (double)Count;
    }

    private static void Loop<T>(int count, Func<T> work)
    {
        for (var i = 0; i < count; i++) { Keep(work()); }
    }

    private static void Await(int count, Func<ValueTask<CoapMessage?>> work)
    {
        for (var i = 0; i < count; i++)
        {
            var message = work();
            Keep(message.IsCompletedSuccessfully ? message.Result : throw new InvalidOperationException("The bytes were there."));
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Keep<T>(T value) => _ = value;
}
