namespace CoAP.Benchmarks;

/// <summary>The cost of one call. Sizes are in millions of bytes.</summary>
internal sealed record PeakFigures(double Message, double Milliseconds, double Peak, double Allocated)
{
    public static PeakFigures Parse(string line)
    {
        var parts = line.Split(' ').Select(static part => double.Parse(part, CultureInfo.InvariantCulture)).ToArray();
        return new(parts[0], parts[1], parts[2], parts[3]);
    }

    public string ToLine() => string.Create(CultureInfo.InvariantCulture, $"{Message} {Milliseconds} {Peak} {Allocated}");
}

/// <summary>One method on one large message, called once.</summary>
/// <param name="Name">The method and the kind of its sink or source.</param>
/// <param name="Limit">The highest allowed additional memory, in messages; <c>null</c> if the library promises none.</param>
/// <param name="Document">The case study's time in milliseconds and memory in MB (table 20).</param>
/// <param name="Prepare">Makes the source from the message and returns the call to measure.</param>
internal sealed record PeakMethod(string Name, double? Limit, string Document, Func<CoapMessage, Func<object?>> Prepare)
{
    private const double Whole = 1.05;
    private const double Nothing = 0.05;

    private static readonly CoapMessageSerializer Datagram = CoapMessageSerializer.Datagram;
    private static readonly CoapMessageSerializer Framed = CoapMessageSerializer.Stream;

    public static IReadOnlyList<PeakMethod> All { get; } =
    [
        new("Serialize-to-array", Whole, "1112, 3016", static message => () => Datagram.Serialize(message)),
        new("Serialize-to-stream", Nothing, "", static message => () => Done(() => Datagram.Serialize(Stream.Null, message))),
        new("SerializeAsync-to-stream", Nothing, "158, 21", static message => () => Done(() => Finish(Datagram.SerializeAsync(Stream.Null, message).AsTask()))),
        From("Deserialize-from-array", Whole, "1764, 2893", static message => Datagram.Serialize(message), static bytes => Datagram.Deserialize(bytes.AsSpan())),
        From("Deserialize-array-in-place", Nothing, "", static message => Datagram.Serialize(message), static bytes => Datagram.Deserialize(bytes.AsMemory())),
        From("Deserialize-from-stream", Whole, "", static message => Source(Datagram, message), static source => Datagram.Deserialize(source)),
        From("DeserializeAsync-from-stream", Whole, "1508, 4003", static message => Source(Datagram, message), static source => Read(Datagram, source)),
        From("DeserializeAsync-frame-of-unseekable", Whole, "", static message => Source(Framed, message, false), static source => Read(Framed, source)),
        From("DeserializeAsync-datagram-of-unseekable", null, "", static message => Source(Datagram, message, false), static source => Read(Datagram, source)),
        From("DeserializeAsync-and-read-typed", null, "1508, 4003", static message => Source(Datagram, message), static source => Read(Datagram, source)!.Options.GetAll<UriPath>()),
    ];

    public PeakFigures Measure(int seed, int options, int payload)
    {
        var message = GridMessage.Create(seed, options, valueLength: 7, payload);
        var size = Datagram.GetSize(message);
        var work = Prepare(message);
        WarmUp();
        var (before, allocated) = (ProcessMemory.ResetPeak(), GC.GetTotalAllocatedBytes(precise: true));
        var begin = Stopwatch.GetTimestamp();
        var result = work();
        var time = Stopwatch.GetElapsedTime(begin).TotalMilliseconds;
        var peak = ProcessMemory.Peak() - before;
        allocated = GC.GetTotalAllocatedBytes(precise: true) - allocated;
        GC.KeepAlive(result);
        GC.KeepAlive(message);
        return new(size / 1e6, time, peak / 1e6, allocated / 1e6);
    }

    private static PeakMethod From<T>(string name, double? limit, string document, Func<CoapMessage, T> sourceOf, Func<T, object?> read) => new(name, limit, document, message =>
    {
        var source = sourceOf(message);
        return () => read(source);
    });

    // Loads and compiles the code first, so that only the message counts.
    private void WarmUp()
    {
        for (var i = 0; i < 3; i++) { Prepare(GridMessage.Create(1, options: 10, valueLength: 7, payload: 10_000))(); }
    }

    // The source reads the payload from the message itself and holds no copy.
    private static MessageStream Source(CoapMessageSerializer serializer, CoapMessage message, bool knowsLength = true)
    {
        var head = new byte[serializer.GetHeadSize(message)];
        serializer.WriteHead(head, message);
        return new MessageStream(head, message.Payload, knowsLength);
    }

    private static CoapMessage? Read(CoapMessageSerializer serializer, MessageStream source)
    {
        var reading = serializer.DeserializeAsync(source).AsTask();
        Finish(reading);
        return reading.Result;
    }

    private static void Finish(Task task)
    {
        if (!task.IsCompletedSuccessfully) { throw new InvalidOperationException("The bytes were there, and the task is not complete.", task.Exception); }
    }

    private static object? Done(Action work)
    {
        work();
        return null;
    }
}
