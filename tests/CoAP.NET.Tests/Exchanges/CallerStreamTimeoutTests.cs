using System.IO.Pipelines;
using CoAP.Tests.Streams;
using CoAP.TestSupport;

namespace CoAP.Tests.Exchanges;

/// <summary>A call whose own stream gives no bytes ends at its Timeout, and the error names the stream.</summary>
public sealed class CallerStreamTimeoutTests : IAsyncDisposable
{
    private readonly ManualClock _time = new();
    private readonly InMemoryNetwork _network;
    private readonly RawServer _server;
    private readonly CoapClient _client;

    public CallerStreamTimeoutTests()
    {
        _network = new InMemoryNetwork(_time);
        _server = new RawServer(_network);
        _client = new CoapClient(new CoapClientSettings { Network = _network, TimeProvider = _time, LaneForm = LaneForm.ThreadPool });
    }

    public async ValueTask DisposeAsync()
    {
        await _time.PassAsync(_client.DisposeAsync().AsTask());
        _server.Dispose();
    }

    [Theory]
    [InlineData("coap://server/a", false), InlineData("coap://server/a", true), InlineData("coap+tcp://raw-server/a", false), InlineData("coap+tcp://raw-server/a", true)]
    public async Task The_error_names_the_stream_of_the_caller(string uri, bool isSync)
    {
        using var silent = _network.OpenDatagrams(PeerIdentity.From("server"));
        var pipe = new Pipe();
        using var stream = new FirstReadStream(pipe.Reader.AsStream());
        var request = new CoapRequest(RequestCode.Put, uri) { Body = BodySource.From(stream), Timeout = TimeSpan.FromSeconds(5) };
        var call = isSync
            ? Task.Factory.StartNew(() => _client.Send(request), default, TaskCreationOptions.LongRunning, TaskScheduler.Default)
            : _client.SendAsync(request).AsTask();
        using var peer = uri.StartsWith("coap+tcp", StringComparison.Ordinal) ? await _server.OpenAsync() : null;

        await stream.FirstRead.WaitAsync(RawPeer.Patience);     // the time of the call runs
        await _time.PassAsync(Task.WhenAny(call), TimeSpan.FromSeconds(10));
        await pipe.Writer.CompleteAsync();      // a blocked read ends when the stream returns
        var error = await Record.ExceptionAsync(() => call.WaitAsync(RawPeer.Patience));

        error.Should().BeOfType<CoapTimeoutException>().Which.AwaitedEvent.Should().Be(AwaitedEvent.Caller);
        error!.Message.Should().Contain("it was waiting for your stream").And.NotContain("NSTART");
    }

    private sealed class FirstReadStream(Stream inner) : Stream
    {
        private readonly TaskCompletionSource _firstRead = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task FirstRead => _firstRead.Task;

        public override bool CanRead => true;
        public override bool CanSeek => false;
        public override bool CanWrite => false;
        public override long Length => throw new NotSupportedException();
        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override int Read(byte[] buffer, int offset, int count)
        {
            _firstRead.TrySetResult();
            return inner.Read(buffer, offset, count);
        }

        public override int Read(Span<byte> buffer)
        {
            _firstRead.TrySetResult();
            return inner.Read(buffer);
        }

        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            _firstRead.TrySetResult();
            return inner.ReadAsync(buffer, cancellationToken);
        }

        public override void Flush() { }
        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();
        public override void SetLength(long value) => throw new NotSupportedException();
        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
