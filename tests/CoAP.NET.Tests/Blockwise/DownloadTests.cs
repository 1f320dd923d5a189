using CoAP.Options;

namespace CoAP.Tests.Blockwise;

/// <summary>Responses whose body is a stream.</summary>
public sealed class DownloadTests
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    private static readonly string Text = string.Concat(Enumerable.Range(0, 80).Select(i => $"{i:d4},"))[..340];

    private readonly List<WatchedStream> _streams = [];

    [Theory, Trait("RFC", "7959 2.4")]
    [InlineData(true), InlineData(false)]
    public async Task A_stream_is_read_block_by_block_one_ahead_and_disposed_of_at_the_end(bool saysLength)
    {
        using var run = Server(canSeek: false, saysLength ? 340 : null);

        Get(run, 0, "0/0/64", "2.05 Content {ETag: 0x01, Content-Format: 0, Block2: 0/1/64" + (saysLength ? ", Size2: 340}" : "}") + $" '{Text[..64]}'");
        _streams.Single().BytesRead.Should().Be(65);
        for (var number = 1; number < 5; number++) { Get(run, number, $"{number}/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: {number}/1/64}} '{Text[(number * 64)..((number + 1) * 64)]}'"); }
        Get(run, 5, "5/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 5/0/64}} '{Text[320..]}'");

        await _streams.Single().Disposed.WaitAsync(Patience);
        run.Server.Lane.DeadlineCount.Should().Be(0);
    }

    [Fact]
    public async Task A_small_stream_is_one_message()
    {
        using var run = new StreamedServer(map => map.At("s").Get((_, _) => new(Response.Content(Open("tiny", false), 0, null, new ETag(new byte[] { 1 })))));

        run.Exchange("CON [0x0001] GET /s", "ACK [0x0001] 2.05 Content {ETag: 0x01, Content-Format: 0} 'tiny'");
        run.Exchange("CON [0x0002] GET /s {Block2: 0/0/64}", "ACK [0x0002] 2.05 Content {ETag: 0x01, Content-Format: 0, Block2: 0/0/64, Size2: 4} 'tiny'");

        await Task.WhenAll(_streams.Select(stream => stream.Disposed)).WaitAsync(Patience);
    }

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_stream_that_can_seek_serves_blocks_in_any_order()
    {
        using var run = Server(canSeek: true, null);

        foreach (var (id, number) in new[] { (0, 3), (1, 1), (2, 4), (3, 0), (4, 3) })
        {
            var size = number == 0 ? ", Size2: 340" : "";
            Get(run, id, $"{number}/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: {number}/1/64{size}}} '{Text[(number * 64)..((number + 1) * 64)]}'");
        }
        _streams.Should().HaveCount(2, "block 0 is a request of its own");
    }

    [Fact]
    public void A_stream_that_cannot_seek_serves_the_last_block_and_the_next()
    {
        using var run = Server(canSeek: false, null);

        Get(run, 0, "2/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 2/1/64}} '{Text[128..192]}'");
        Get(run, 1, "2/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 2/1/64}} '{Text[128..192]}'");
        Get(run, 2, "6/0/32", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 6/1/32}} '{Text[192..224]}'");
        Get(run, 3, "1/0/64", "4.08 '*'");
        Get(run, 4, "9/0/64", "4.00 '*'");
    }

    [Fact]
    public void A_far_block_of_a_stream_that_cannot_seek_is_refused_before_the_stream_is_read_up_to_it()
    {
        var text = new string('x', 3 << 20);
        using var run = new StreamedServer(map => map.At("s")
            .Get((_, _) => new(Response.Content(Open(text, false), 0, null, new ETag(new byte[] { 1 })))));

        Get(run, 0, "40000/0/64", "4.00 'Block 40000 of 64 is more than 1048576 bytes behind the last one. Ask in order.'");
        _streams.Single().BytesRead.Should().Be(0);
        Get(run, 1, "16384/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 16384/1/64}} '{text[..64]}'");
        _streams.Single().BytesRead.Should().Be((1 << 20) + 65);
    }

    [Fact]
    public async Task A_stream_that_nobody_asks_for_any_more_is_disposed_of()
    {
        using var run = Server(canSeek: false, null);
        Get(run, 0, "0/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 0/1/64}} '{Text[..64]}'");

        run.Client.ExpectNothing(seconds: 233);

        await _streams.Single().Disposed.WaitAsync(Patience);
        run.Server.Leftovers.Should().Be("0 exchanges, 0 unsettled messages, 0 pending requests, 0 channels, 0 deadlines");
    }

    [Fact]
    public void A_stream_that_fails_is_5_00()
    {
        using var run = new StreamedServer(map => map.At("s").Get((_, _) =>
        {
            var stream = Open(Text, false);
            var source = BodySource.From(stream);
            stream.Dispose();
            return new(new CoapResponse(ResponseCode.Content) { Source = source });
        }));

        run.Exchange("CON [0x0001] GET /s", "ACK [0x0001] 5.00 'The server failed to read the response.'");
    }

    [Fact]
    public async Task The_end_of_the_endpoint_disposes_of_streams()
    {
        var run = Server(canSeek: false, null);
        Get(run, 0, "0/0/64", $"2.05 Content {{ETag: 0x01, Content-Format: 0, Block2: 0/1/64}} '{Text[..64]}'");

        run.Dispose();

        await _streams.Single().Disposed.WaitAsync(Patience);
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public void A_length_with_too_many_blocks_is_4_13_before_anything_is_read()
    {
        using var run = Server(canSeek: false, (16L << 20) + 1);

        Get(run, 0, "0/0/16", "4.13 '*'");

        _streams.Single().BytesRead.Should().Be(0);
    }

    private static void Get(StreamedServer run, int id, string block, string answer) =>
        run.Exchange($"CON [0x{id:x4}] GET /s {{Block2: {block}}}", $"ACK [0x{id:x4}] {answer}");

    private StreamedServer Server(bool canSeek, long? length) =>
        new(map => map.At("s").Get((_, _) => new(Response.Content(Open(Text, canSeek), 0, length, new ETag(new byte[] { 1 })))));

    private WatchedStream Open(string text, bool canSeek)
    {
        var stream = WatchedStream.Text(text, canSeek);
        _streams.Add(stream);
        return stream;
    }
}
