using System.Buffers;
using System.IO.Pipelines;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Every sink gets the same bytes.</summary>
public class WritingTests
{
    private static readonly int[] Sizes = [0, 1, 100, 4000, 4096, 5000, 65_536, 65_537, 300_000];

    public static TheoryData<CoapMessageSerializer, int> Cases
    {
        get
        {
            var cases = new TheoryData<CoapMessageSerializer, int>();
            foreach (var size in Sizes)
            {
                cases.Add(CoapMessageSerializer.Datagram, size);
                cases.Add(CoapMessageSerializer.Stream, size);
            }
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Buffers_streams_and_pipes_get_the_bytes_of_the_array(CoapMessageSerializer serializer, int size)
    {
        var message = Message(size);
        var expected = serializer.Serialize(message);
        var (buffer, sync, async) = (new ArrayBufferWriter<byte>(), new MemoryStream(), new MemoryStream());

        serializer.Serialize(buffer, message);
        serializer.Serialize(sync, message);
        await serializer.SerializeAsync(async, message);

        buffer.WrittenMemory.ToArray().Should().Equal(expected);
        sync.ToArray().Should().Equal(expected);
        async.ToArray().Should().Equal(expected);
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_pipe_gets_the_bytes_as_its_reader_takes_them(CoapMessageSerializer serializer, int size)
    {
        var pipe = new Pipe();
        var message = Message(size);

        var reading = ReadToEnd(pipe.Reader);
        await serializer.SerializeAsync(pipe.Writer, message);
        await pipe.Writer.CompleteAsync();

        (await reading).Should().Equal(serializer.Serialize(message));
    }

    [Fact]
    public async Task Writing_to_a_pipe_whose_reader_has_completed_ends()
    {
        var pipe = new Pipe();
        await pipe.Reader.CompleteAsync();

        var writing = CoapMessageSerializer.Stream.SerializeAsync(pipe.Writer, Message(10_000_000)).AsTask();

        writing.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public async Task A_large_payload_is_written_to_a_stream_without_being_copied()
    {
        var message = Message(64 << 20);
        var stream = new HugeStream([], 0);
        var (writing, writtenBefore) = (Task.CompletedTask, 0L);

        var allocated = Allocations.Of(() =>
        {
            CoapMessageSerializer.Stream.Serialize(stream, message);
            writtenBefore = stream.Written;
            writing = CoapMessageSerializer.Datagram.SerializeAsync(stream, message).AsTask();
        });

        await writing;
        allocated.Should().BeLessThan(20_000);
        (stream.Written - writtenBefore).Should().Be(CoapMessageSerializer.Datagram.GetSize(message));
    }

    private static CoapMessage Message(int size)
    {
        var payload = new byte[size];
        new Random(size).NextBytes(payload);
        return new() { Code = RequestCode.Put, MessageId = new(7), Token = new([1, 2]), Options = [new UriPath("store"), new ContentFormat(42)], Payload = payload };
    }

    private static async Task<byte[]> ReadToEnd(PipeReader reader)
    {
        var bytes = new List<byte>();
        while (true)
        {
            var result = await reader.ReadAsync();
            bytes.AddRange(result.Buffer.ToArray());
            reader.AdvanceTo(result.Buffer.End);
            if (result.IsCompleted) { return [.. bytes]; }
        }
    }
}
