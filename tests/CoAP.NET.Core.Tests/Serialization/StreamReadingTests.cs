using System.Buffers;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Serialization;

/// <summary>Reading from streams: both forms, sync and async, however few bytes come at once.</summary>
public class StreamReadingTests
{
    private static readonly CoapMessage First = new() { Code = RequestCode.Get, Token = new(new byte[20]), Options = [new UriPath("temperature")] };
    private static readonly CoapMessage Second = new() { Code = ResponseCode.Content, Token = new([2]), Payload = new byte[70_000] };

    public static TheoryData<int, bool> Drips => new() { { 1, false }, { 1, true }, { 3, false }, { 3, true }, { 100_000, false }, { 100_000, true } };

    [Theory]
    [MemberData(nameof(Drips))]
    public async Task Stream_form_reads_one_message_and_not_a_byte_further(int atOnce, bool isAsync)
    {
        var (one, two) = (CoapMessageSerializer.Stream.Serialize(First), CoapMessageSerializer.Stream.Serialize(Second));
        var stream = new DrippingStream([.. one, .. two], atOnce, isAsync);

        (await Read(stream, isAsync)).ShouldBe(First);
        stream.Consumed.Should().Be(one.Length);
        (await Read(stream, isAsync)).ShouldBe(Second);
        (await Read(stream, isAsync)).Should().BeNull();
        (await Read(stream, isAsync)).Should().BeNull("the end stays the end");
    }

    [Theory]
    [MemberData(nameof(Drips))]
    public async Task Datagram_form_reads_to_the_end_of_the_stream(int atOnce, bool isAsync)
    {
        var bytes = CoapMessageSerializer.Datagram.Serialize(Second);
        var stream = new DrippingStream(bytes, atOnce, isAsync);

        var message = isAsync ? await CoapMessageSerializer.Datagram.DeserializeAsync(stream) : CoapMessageSerializer.Datagram.Deserialize(stream);

        message.ShouldBe(Second);
        stream.ReadsAtEnd.Should().Be(1);
        CoapMessageSerializer.Datagram.Deserialize(stream).Should().BeNull();
    }

    [Fact]
    public async Task An_end_inside_a_message_is_truncated_wherever_it_is()
    {
        var bytes = CoapMessageSerializer.Stream.Serialize(First);
        for (var length = 1; length < bytes.Length; length++)
        {
            var sync = () => CoapMessageSerializer.Stream.Deserialize(new DrippingStream(bytes[..length], 2));
            var async = async () => await CoapMessageSerializer.Stream.DeserializeAsync(new DrippingStream(bytes[..length], 2, isAsync: true));

            sync.Should().Throw<CoapFormatException>().Where(thrown => thrown.Reason == FormatError.Truncated && thrown.Offset == length);
            (await async.Should().ThrowAsync<CoapFormatException>()).Where(thrown => thrown.Reason == FormatError.Truncated);
        }
    }

    [Fact]
    public void A_reserved_token_length_is_found_before_the_rest_is_there()
    {
        var act = () => CoapMessageSerializer.Stream.Deserialize(new DrippingStream(Hex.Bytes("ff ffffffff 01"), 100));

        act.Should().Throw<CoapFormatException>().Where(thrown => thrown.Reason == FormatError.ReservedTokenLength);
    }

    [Theory]
    [InlineData("f0 7ff00000 01 b1 61 62", FormatError.Truncated)]
    [InlineData("f0 ffffffff 01 b1 61 62", FormatError.MessageTooLarge)]
    [Trait("RFC", "8323 3.2")]
    public void A_few_bytes_that_announce_gigabytes_allocate_little(string hex, FormatError expected)
    {
        var bytes = Hex.Bytes(hex);
        Exception? failure = null;

        var allocated = Allocations.Of(() => new DrippingStream(bytes, 10), stream =>
        {
            failure = Record.Exception(() => { CoapMessageSerializer.Stream.Deserialize(stream); });
        });

        failure.Should().BeOfType<CoapFormatException>().Which.Reason.Should().Be(expected);
        allocated.Should().BeLessThan(500_000);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    [Trait("RFC", "8323 5.3.1")]
    public void A_message_above_the_limit_is_refused_before_anything_is_allocated(bool isDatagram)
    {
        CoapMessageSerializer serializer = isDatagram
            ? new DatagramSerializer(OptionRegistry.Default) { MaxSize = 1000 }
            : new StreamSerializer(OptionRegistry.Default) { MaxSize = 1000 };
        var fits = new CoapMessage { Code = RequestCode.Put, Payload = new byte[1000 - serializer.GetSize(new() { Code = RequestCode.Put, Payload = new byte[500] }) + 500] };
        var bytes = serializer.Serialize(fits);
        var larger = serializer.Serialize(new() { Code = RequestCode.Put, Payload = new byte[fits.Payload.Length + 1] });

        bytes.Length.Should().Be(1000);
        foreach (Func<byte[], Stream> open in new Func<byte[], Stream>[] { all => new MemoryStream(all), all => new DrippingStream(all, 64) })
        {
            serializer.Deserialize(open(bytes)).ShouldBe(fits);
            serializer.Invoking(one => one.Deserialize(open(larger))).Should().Throw<CoapFormatException>().Where(e => e.Reason == FormatError.MessageTooLarge);
        }
        serializer.Invoking(one => one.Deserialize(new ReadOnlySequence<byte>(larger))).Should().Throw<CoapFormatException>();
    }

    [Fact]
    public void A_large_message_costs_little_more_than_itself_where_the_stream_knows_its_length()
    {
        const int size = 256 << 20;
        var datagram = Hex.Bytes("40 03 0001 ff 61");
        byte[] framed = [.. Hex.Bytes("f0"), .. BitConverter.GetBytes(size - 6 - 65_805).Reverse(), .. Hex.Bytes("03 ff 61")];

        foreach (var (serializer, start) in new[] { (CoapMessageSerializer.Datagram, datagram), (CoapMessageSerializer.Stream, framed) })
        {
            var length = 0;
            var allocated = Allocations.Of(
                () => new HugeStream(start, size), stream => length = serializer.Deserialize(stream)!.Payload.Length);

            length.Should().BeInRange(size - 8, size);
            allocated.Should().BeLessThan((long)(size * 1.05));
        }
    }

    [Theory]
    [InlineData((1 << 20) + 5)]
    [InlineData(3_000_000)]
    [InlineData(20_000_000)]
    public void A_large_message_from_a_stream_that_does_not_know_its_length_arrives_whole(int size)
    {
        var payload = new byte[size];
        new Random(size).NextBytes(payload);
        var message = new CoapMessage { Code = RequestCode.Post, Payload = payload };

        foreach (var serializer in new[] { CoapMessageSerializer.Datagram, CoapMessageSerializer.Stream })
        {
            var bytes = serializer.Serialize(message);
            CoapMessage? read = null;
            var allocated = Allocations.Of(() => new DrippingStream(bytes, 65_537), stream => read = serializer.Deserialize(stream));

            read.ShouldBe(message);
            allocated.Should().BeLessThan(4L * size);
        }
    }

    [Fact]
    public void Async_reading_completes_synchronously_where_the_bytes_are_there()
    {
        var stream = new MemoryStream(CoapMessageSerializer.Stream.Serialize(First));

        var reading = CoapMessageSerializer.Stream.DeserializeAsync(stream).AsTask();

        reading.IsCompletedSuccessfully.Should().BeTrue();
    }

    [Fact]
    public async Task A_cancelled_read_throws()
    {
        var stream = new DrippingStream(CoapMessageSerializer.Stream.Serialize(First), 1, isAsync: true);

        var act = async () => await CoapMessageSerializer.Stream.DeserializeAsync(stream, new CancellationToken(canceled: true));

        await act.Should().ThrowAsync<OperationCanceledException>();
    }

    private static async ValueTask<CoapMessage?> Read(Stream stream, bool isAsync) =>
        isAsync ? await CoapMessageSerializer.Stream.DeserializeAsync(stream) : CoapMessageSerializer.Stream.Deserialize(stream);
}
