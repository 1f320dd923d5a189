using System.Diagnostics;
using System.Runtime;
using CoAP.Benchmarks.Serialization.Grid;
using CoAP.Options;
using CoAP.Serialization;

namespace CoAP.Benchmarks.Peak;

/// <summary>One method on one large message, called once.</summary>
/// <param name="Name">The method, and where the bytes go to or come from.</param>
/// <param name="Limit">The most memory beyond what was there, in messages; none where nothing is promised.</param>
/// <param name="DocumentTime">The case study's time in milliseconds (table 20).</param>
/// <param name="DocumentMemory">The case study's memory in MB.</param>
/// <param name="Prepare">Makes the source from the message, and gives what is measured.</param>
internal sealed record PeakMethod(string Name, double? Limit, string DocumentTime, string DocumentMemory, Func<CoapMessage, Func<ValueTask<object?>>> Prepare)
{
    private const double Whole = 1.05;
    private const double Nothing = 0.05;

    private static readonly CoapMessageSerializer Datagram = CoapMessageSerializer.Datagram;
    private static readonly CoapMessageSerializer Framed = CoapMessageSerializer.Stream;

    public static IReadOnlyList<PeakMethod> All { get; } =
    [
        new("Serialize-to-array", Whole, "1112", "3016", message => () => new(Datagram.Serialize(message))),
        new("Serialize-to-stream", Nothing, "", "", message => () =>
        {
            Datagram.Serialize(Stream.Null, message);
            return default;
        }),
        new("SerializeAsync-to-stream", Nothing, "158", "21", message => async () =>
        {
            await Datagram.SerializeAsync(Stream.Null, message);
            return null;
        }),
        new("Deserialize-from-array", Whole, "1764", "2893", message =>
        {
            var bytes = Datagram.Serialize(message);
            return () => new(Datagram.Deserialize(bytes.AsSpan()));
        }),
        new("Deserialize-array-in-place", Nothing, "", "", message =>
        {
            var bytes = Datagram.Serialize(message);
            return () => new(Datagram.Deserialize(bytes.AsMemory()));
        }),
        new("Deserialize-from-stream", Whole, "", "", message =>
        {
            var source = Source(Datagram, message, tellsLength: true);
            return () => new(Datagram.Deserialize(source));
        }),
        new("DeserializeAsync-from-stream", Whole, "1508", "4003", message =>
        {
            var source = Source(Datagram, message, tellsLength: true);
            return async () => await Datagram.DeserializeAsync(source);
        }),
        new("DeserializeAsync-frame-of-unseekable", Whole, "", "", message =>
        {
            var source = Source(Framed, message, tellsLength: false);
            return async () => await Framed.DeserializeAsync(source);
        }),
        new("DeserializeAsync-datagram-of-unseekable", null, "", "", message =>
        {
            var source = Source(Datagram, message, tellsLength: false);
            return async () => await Datagram.DeserializeAsync(source);
        }),
        new("DeserializeAsync-and-read-typed", null, "1508", "4003", message =>
        {
            var source = Source(Datagram, message, tellsLength: true);
            return async () => (await Datagram.DeserializeAsync(source))!.Options.GetAll<UriPath>();
        }),
    ];

    public PeakFigures Measure(int seed, int options, int payload)
    {
        var message = GridMessage.Create(seed, GridMessage.Options(seed, options, valueLength: 7), payload);
        var size = Datagram.GetSize(message);
        var work = Prepare(message);
        WarmUp();
        GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Aggressive, blocking: true, compacting: true);
        var (before, allocated) = (ProcessMemory.ResetPeak(), GC.GetTotalAllocatedBytes(precise: true));
        var begin = Stopwatch.GetTimestamp();
        var task = work();
        var result = task.IsCompleted ? task.GetAwaiter().GetResult() : throw new InvalidOperationException("The bytes were there.");
        var time = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        var peak = ProcessMemory.Peak() - before;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        GC.KeepAlive(result);
        GC.KeepAlive(message);
        return new(size / 1e6, time, peak / 1e6, allocated / 1e6);
    }

    // What is loaded and compiled at the first call is not the message's.
    private void WarmUp()
    {
        var work = Prepare(GridMessage.Create(1, GridMessage.Options(1, 10, valueLength: 7), payload: 10_000));
        for (var i = 0; i < 3; i++) { _ = work().AsTask(); }
    }

    // The start of the message in memory, the payload as it is: what the source holds is there before.
    private static PayloadStream Source(CoapMessageSerializer serializer, CoapMessage message, bool tellsLength)
    {
        var head = new byte[serializer.GetHeadSize(message)];
        serializer.WriteHead(head, message);
        return new PayloadStream(head, message.Payload, tellsLength);
    }
}
