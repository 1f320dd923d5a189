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

        var (allocated, failure) = ReadToTheEnd(OneMiB);

        failure.Should().BeOfType<CoapFormatException>().Which.Reason.Should().Be(FormatError.Truncated);
        allocated.Should().BeInRange(1, SmallCost);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("RFC", "8323 3.2")]
    public async Task Six_bytes_that_announce_1_MiB_cost_at_most_4_KiB_in_a_pipe(bool isStream)
    {
        var reads = new List<PartialRead>();
        PartialRead Prepare()
        {
            reads.Add(new PartialRead(OneMiB, isStream));
            return reads[^1];
        }

        var allocated = Allocations.Of(Prepare, static read => read.Begin());

        allocated.Should().BeInRange(1, SmallCost);
        foreach (var read in reads) { await read.EndAsync(); }
    }

    [Theory]
    [InlineData(20_000)]
    [InlineData(100_000)]
    [InlineData(200_000)]
    [Trait("RFC", "8323 3.2")]
    public void A_part_of_1_MiB_costs_at_most_four_times_that_part(int arrived)
    {
        var (allocated, failure) = ReadToTheEnd([.. OneMiB, .. new byte[arrived]]);

        failure.Should().BeOfType<CoapFormatException>();
        allocated.Should().BeLessThan(4 * arrived);
    }

    [Fact]
    public void A_stream_that_knows_its_length_is_believed()
    {
        var message = new CoapMessage { Code = RequestCode.Put, Payload = new byte[MiB] };
        var stream = new MemoryStream(CoapMessageSerializer.Stream.Serialize(message));

        var allocated = Allocations.Of(() =>
        {
            stream.Position = 0;
            CoapMessageSerializer.Stream.Deserialize(stream);
        });

        allocated.Should().BeLessThan(MiB + SmallCost);
    }

    // The failure itself does not count.
    private static (long Allocated, Exception? Failure) ReadToTheEnd(byte[] bytes)
    {
        Exception? failure = null;
        var allocated = Allocations.Least(() =>
        {
            var stream = new MeasuringStream(bytes);
            failure = Record.Exception(() => stream.Measure(CoapMessageSerializer.Stream));
            return stream.AllocatedAtEnd;
        });
        return (allocated, failure);
    }

    /// <summary>Reads from a pipe in which a part of a message arrives, and then no more.</summary>
    private sealed class PartialRead
    {
        private readonly Pipe _pipe = new();
        private readonly Stream? _stream;
        private Task _reading = Task.CompletedTask;

        public PartialRead(byte[] bytes, bool isStream)
        {
            _pipe.Writer.WriteAsync(bytes).AsTask().IsCompletedSuccessfully.Should().BeTrue();
            _stream = isStream ? _pipe.Reader.AsStream() : null;
        }

        /// <summary>Returns when the reader waits for more.</summary>
        public void Begin() => _reading = _stream is null
            ? CoapMessageSerializer.Stream.DeserializeAsync(_pipe.Reader).AsTask()
            : CoapMessageSerializer.Stream.DeserializeAsync(_stream).AsTask();

        public async Task EndAsync()
        {
            _reading.IsCompleted.Should().BeFalse();
            await _pipe.Writer.CompleteAsync();
            (await Record.ExceptionAsync(() => _reading)).Should().BeOfType<CoapFormatException>();
        }
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
