using System.IO.Pipelines;
using CoAP.Tests.Streams;

namespace CoAP.Tests.Blockwise;

/// <summary>Bodies of any size over connections, by callers who block and callers who do not (RFC 8323, section 6).</summary>
public sealed class StreamBodiesTests : IAsyncDisposable
{
    private const string Uri = "coap+tcp://server/";

    private readonly StreamHost _host = new(settings => settings with { Stream = new StreamSettings { MaxMessageSize = 5000 } });
    private readonly CoapClient _client;

    public StreamBodiesTests() => _client = _host.Client(new CoapClientSettings { Stream = new StreamSettings { MaxMessageSize = 3000 } });

    public async ValueTask DisposeAsync()
    {
        await _client.DisposeAsync();
        await _host.DisposeAsync();
    }

    [Theory, Trait("RFC", "8323 6")]
    [InlineData(10), InlineData(2000), InlineData(4990), InlineData(5000), InlineData(100_000)]
    public async Task A_body_of_any_size_arrives_by_either_form_of_the_call(int length)
    {
        var blocking = await OnThread(() => _client.Put(Uri + "size", new byte[length]));
        var awaiting = await _client.PutAsync(Uri + "size", new byte[length]).AsTask().WaitAsync(RawPeer.Patience);

        blocking.PayloadText.Should().Be($"{length}");
        awaiting.PayloadText.Should().Be($"{length}");
    }

    [Theory, Trait("RFC", "8323 6")]
    [InlineData(10), InlineData(2900), InlineData(3000), InlineData(100_000)]
    public async Task A_response_of_any_size_arrives_by_either_form_of_the_call(int length)
    {
        var blocking = await OnThread(() => _client.Get(Uri + $"large?n={length}"));
        var awaiting = await _client.GetAsync(Uri + $"large?n={length}").AsTask().WaitAsync(RawPeer.Patience);

        (blocking.Payload.Length, awaiting.Payload.Length).Should().Be((length, length));
    }

    [Theory]
    [InlineData(0), InlineData(1000), InlineData(300_000)]
    public async Task Streams_are_read_and_written_by_the_thread_that_blocks(int length)
    {
        var caller = 0;
        using var destination = new WatchedStream(() => Environment.CurrentManagedThreadId.Should().Be(Volatile.Read(ref caller)));

        var answer = await OnThread(() =>
        {
            Volatile.Write(ref caller, Environment.CurrentManagedThreadId);
            return _client.Download(Uri + $"large?n={length}", destination);
        });
        var stored = await OnThread(() => _client.Upload(Uri + "size", new MemoryStream(new byte[length])));

        answer.EnsureSuccess();
        destination.Length.Should().Be(length);
        stored.PayloadText.Should().Be($"{length}");
    }

    [Fact]
    public async Task Pipes_are_read_and_written_by_a_call_that_awaits()
    {
        var source = new Pipe();
        var upload = _client.SendAsync(new CoapRequest(RequestCode.Put, Uri + "size") { Body = BodySource.From(source.Reader) }).AsTask();
        for (var i = 0; i < 100; i++) { await source.Writer.WriteAsync(new byte[777]); }
        await source.Writer.CompleteAsync();

        (await upload.WaitAsync(RawPeer.Patience)).PayloadText.Should().Be("77700");
    }

    [Fact, Trait("RFC", "7959 2.2")]
    public async Task A_body_that_needs_a_larger_block_number_than_there_is_fails_before_anything_is_sent()
    {
        var request = new CoapRequest(RequestCode.Put, Uri + "size") { Body = BodySource.From(Stream.Null, (16L << 20) + 1), PreferredBlockSize = 16 };
        var call = async () => await _client.SendAsync(request).AsTask().WaitAsync(RawPeer.Patience);

        await call.Should().ThrowAsync<ArgumentException>().WithMessage("*16777217*16 bytes*16777216*");
    }

    private static Task<T> OnThread<T>(Func<T> action) =>
        Task.Factory.StartNew(action, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default).WaitAsync(RawPeer.Patience);

    private sealed class WatchedStream(Action written) : MemoryStream
    {
        public override void Write(ReadOnlySpan<byte> buffer)
        {
            written();
            base.Write(buffer);
        }
    }
}
