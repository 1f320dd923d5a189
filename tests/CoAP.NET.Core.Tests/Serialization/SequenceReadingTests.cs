using System.IO.Pipelines;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Reading from sequences and pipes, however the bytes are cut.</summary>
public class SequenceReadingTests
{
    private static readonly CoapMessage First = new() { Code = RequestCode.Get, Token = new(new byte[300]), Options = [new UriPath("temperature")] };
    private static readonly CoapMessage Second = new() { Code = ResponseCode.Content, Token = new([2]), Payload = new byte[700] };
    private static readonly byte[] Both = [.. CoapMessageSerializer.Stream.Serialize(First), .. CoapMessageSerializer.Stream.Serialize(Second)];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    [InlineData(10_000)]
    public void Has_three_outcomes_message_need_more_and_malformed(int segment)
    {
        var rest = Segments.Of(Both, segment);

        CoapMessageSerializer.Stream.Read(ref rest, out var message, out _).Should().Be(ReadOutcome.Message);
        message.ShouldBe(First);
        CoapMessageSerializer.Stream.Read(ref rest, out message, out _).Should().Be(ReadOutcome.Message);
        message.ShouldBe(Second);
        CoapMessageSerializer.Stream.Read(ref rest, out message, out _).Should().Be(ReadOutcome.NeedMore);
        rest.IsEmpty.Should().BeTrue();
    }

    [Fact]
    public void Needs_more_and_consumes_nothing_until_the_last_byte_is_there()
    {
        var length = CoapMessageSerializer.Stream.GetSize(First);
        for (var part = 0; part < length; part++)
        {
            var rest = Segments.Of(Both[..part], 3);

            CoapMessageSerializer.Stream.Read(ref rest, out var message, out var error).Should().Be(ReadOutcome.NeedMore);

            (rest.Length, message, error).Should().Be((part, null, FormatError.None));
        }
    }

    [Theory]
    [InlineData("1f", FormatError.ReservedTokenLength)]
    [InlineData("f0 ffffffff 01", FormatError.MessageTooLarge)]
    [InlineData("10 01 ff", FormatError.EmptyPayloadAfterMarker)]
    [InlineData("00 c1", FormatError.ReservedCodeClass)]
    public void Malformed_bytes_are_reported_as_soon_as_they_arrive(string hex, FormatError expected)
    {
        foreach (var segment in new[] { 1, 100 })
        {
            var rest = Segments.Of(Hex.Bytes(hex), segment);

            CoapMessageSerializer.Stream.Read(ref rest, out _, out var error).Should().Be(ReadOutcome.Malformed);

            error.Should().Be(expected);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public void Deserialize_takes_segments_of_both_forms(int segment)
    {
        CoapMessageSerializer.Datagram.Deserialize(Segments.Of(CoapMessageSerializer.Datagram.Serialize(First), segment)).ShouldBe(First);
        CoapMessageSerializer.Stream.Deserialize(Segments.Of(CoapMessageSerializer.Stream.Serialize(Second), segment)).ShouldBe(Second);
        var act = () => CoapMessageSerializer.Stream.Deserialize(Segments.Of(Both, segment));
        act.Should().Throw<CoapFormatException>().Where(thrown => thrown.Reason == FormatError.TrailingBytes);
    }

    [Fact]
    public async Task A_pipe_gives_one_message_after_the_other_and_null_at_its_end()
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(Both);
        await pipe.Writer.CompleteAsync();

        var first = CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader).AsTask();

        first.IsCompletedSuccessfully.Should().BeTrue("the bytes are there");
        (await first).ShouldBe(First);
        (await CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader)).ShouldBe(Second);
        (await CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader)).Should().BeNull();
        (await CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader)).Should().BeNull();
    }

    [Fact]
    public async Task A_message_may_be_larger_than_the_pipe_and_come_byte_by_byte()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 64, resumeWriterThreshold: 32, useSynchronizationContext: false));
        var reading = ReadBoth(pipe.Reader);

        foreach (var one in Both) { await pipe.Writer.WriteAsync(new[] { one }); }

        var (first, second) = await reading;
        first.ShouldBe(First);
        second.ShouldBe(Second);
    }

    [Fact]
    public async Task A_pipe_that_ends_inside_a_message_is_truncated()
    {
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync(Both.AsMemory(0, 50));
        await pipe.Writer.CompleteAsync();

        var act = async () => await CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader);

        (await act.Should().ThrowAsync<CoapFormatException>()).Where(thrown => thrown.Reason == FormatError.Truncated);
    }

    [Fact]
    public async Task Datagram_form_reads_a_pipe_to_its_end()
    {
        var pipe = new Pipe();
        var reading = CoapMessageSerializer.Datagram.DeserializeAsync(pipe.Reader).AsTask();
        var bytes = CoapMessageSerializer.Datagram.Serialize(Second);

        await pipe.Writer.WriteAsync(bytes.AsMemory(0, 100));
        reading.IsCompleted.Should().BeFalse();
        await pipe.Writer.WriteAsync(bytes.AsMemory(100));
        await pipe.Writer.CompleteAsync();

        (await reading).ShouldBe(Second);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_cancelled_pending_read_of_a_pipe_throws(bool isCancelledBefore)
    {
        var pipe = new Pipe();
        if (isCancelledBefore) { pipe.Reader.CancelPendingRead(); }
        var reading = CoapMessageSerializer.Stream.DeserializeAsync(pipe.Reader).AsTask();
        if (!isCancelledBefore) { pipe.Reader.CancelPendingRead(); }

        var act = () => reading;

        await act.Should().ThrowAsync<OperationCanceledException>();
    }

    private static async Task<(CoapMessage? First, CoapMessage? Second)> ReadBoth(PipeReader reader) =>
        (await CoapMessageSerializer.Stream.DeserializeAsync(reader), await CoapMessageSerializer.Stream.DeserializeAsync(reader));
}
