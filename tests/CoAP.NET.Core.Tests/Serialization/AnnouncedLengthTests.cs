using System.IO.Pipelines;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>The length in a header is only the peer's word: memory is allocated for bytes that have arrived.</summary>
public class AnnouncedLengthTests
{
    private const int SmallCost = 4096;
    private const int MiB = 1 << 20;

    // A PUT of 1 MiB in all: 65,805 and 0x000efeed are the bytes behind the header.
    private static readonly byte[] OneMiB = Hex.Bytes("f0 000efeed 03");

    [Fact]
    [Trait("RFC", "8323 3.2")]
    public void Six_bytes_that_announce_1_MiB_cost_at_most_4_KiB_in_a_stream()
    {
        CoapMessageSerializer.Stream.Measure(OneMiB).Length.Should().BeInRange(MiB - 100, MiB + 100);
        CoapMessageSerializer.Stream.Deserialize(new MemoryStream([0, 0]));     // whatever is allocated once in a process does not count
        _ = Record.Exception(() => new MeasuringStream(OneMiB).Measure(CoapMessageSerializer.Stream));
        var stream = new MeasuringStream(OneMiB);

        var failure = Record.Exception(() => stream.Measure(CoapMessageSerializer.Stream));

        failure.Should().BeOfType<CoapFormatException>().Which.Reason.Should().Be(FormatError.Truncated);
        stream.AllocatedAtEnd.Should().BeInRange(1, SmallCost);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("RFC", "8323 3.2")]
    public async Task Six_bytes_that_announce_1_MiB_cost_at_most_4_KiB_in_a_pipe(bool isStream)
    {
        await ReadInPart(new byte[] { 0, 0 }, isStream);
        await ReadInPart(OneMiB, isStream);     // whatever is allocated once in a process does not count, also for a message that is not complete

        var allocated = await ReadInPart(OneMiB, isStream);

        allocated.Should().BeInRange(1, SmallCost);
    }

    [Theory]
    [InlineData(20_000)]
    [InlineData(100_000)]
    [InlineData(200_000)]
    [Trait("RFC", "8323 3.2")]
    public void A_part_of_1_MiB_costs_at_most_four_times_that_part(int arrived)
    {
        var stream = new MeasuringStream([.. OneMiB, .. new byte[arrived]]);

        var failure = Record.Exception(() => stream.Measure(CoapMessageSerializer.Stream));

        failure.Should().BeOfType<CoapFormatException>();
        stream.AllocatedAtEnd.Should().BeLessThan(4 * arrived);
    }

    [Fact]
    public void A_stream_that_knows_its_length_is_believed()
    {
        var message = new CoapMessage { Code = RequestCode.Put, Payload = new byte[MiB] };
        var stream = new MemoryStream(CoapMessageSerializer.Stream.Serialize(message));
        CoapMessageSerializer.Stream.Deserialize(stream);       // whatever is allocated once in a process does not count
        stream.Position = 0;
        var before = GC.GetAllocatedBytesForCurrentThread();

        CoapMessageSerializer.Stream.Deserialize(stream);

        (GC.GetAllocatedBytesForCurrentThread() - before).Should().BeLessThan(MiB + SmallCost);
    }

    // Counts up to the point where the reader waits for more.
    private static async Task<long> ReadInPart(byte[] bytes, bool isStream)
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(bytes);
        var stream = isStream ? pipe.Reader.AsStream() : null;
        var before = GC.GetAllocatedBytesForCurrentThread();

        var reading = stream is null ? CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader) : CoapMessageSerializer.Stream.DeserializeAsync(stream);

        var allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        reading.IsCompleted.Should().Be(bytes.Length == 2);
        await pipe.Writer.CompleteAsync();
        var failure = await Record.ExceptionAsync(async () => await reading);
        failure.Should().Match<Exception?>(thrown => thrown == null || thrown is CoapFormatException);
        return allocated;
    }

    /// <summary>Gives what it is asked for and remembers what had been allocated when it ran out of bytes.</summary>
    private sealed class MeasuringStream(byte[] bytes) : MemoryStream(bytes)
    {
        private long _before;

        public long AllocatedAtEnd { get; private set; }

        public override bool CanSeek => false;

        public void Measure(CoapMessageSerializer serializer)
        {
            _before = GC.GetAllocatedBytesForCurrentThread();
            serializer.Deserialize(this);
        }

        public override int Read(byte[] buffer, int offset, int count)
        {
            AllocatedAtEnd = GC.GetAllocatedBytesForCurrentThread() - _before;
            return base.Read(buffer, offset, count);
        }
    }
}
