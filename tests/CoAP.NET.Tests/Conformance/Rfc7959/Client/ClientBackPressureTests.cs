using System.IO.Pipelines;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.TestSupport;

namespace CoAP.Tests.Conformance;

/// <summary>Streams that are slower than the network hold it back, with a bounded amount of bytes between them; a broken download goes on where it broke.</summary>
public sealed class ClientBackPressureTests : ClientBlocksUnderTest
{
    private const int ReadAhead = 4096;

    public ClientBackPressureTests()
        : base(new ClientTransferSettings { ReadAhead = ReadAhead })
    {
    }

    [Fact]
    public void A_reader_that_takes_nothing_stops_the_download_until_it_does()
    {
        var pipe = new Pipe(new PipeOptions(pauseWriterThreshold: 1, resumeWriterThreshold: 1, useSynchronizationContext: false));
        var writer = new WatchedWriter(pipe.Writer);
        var call = Attended(new CoapRequest(RequestCode.Get, "/large") { ResponseBody = BodyTarget.To(writer) });

        var before = ServeUntilBlocked(writer);
        Client.DiscardWork();
        pipe.Reader.TryRead(out var read).Should().BeTrue();
        pipe.Reader.AdvanceTo(read.Buffer.End);
        Client.AwaitWork();
        var after = Serve(total: 20, from: before);

        before.Should().BeInRange(2, 6, "the pipe takes one block, and four wait for it");
        after.Should().BeGreaterThan(before).And.BeLessThanOrEqualTo(before + 5);
        call.IsCompleted.Should().BeFalse();
        pipe.Reader.Complete();
    }

    [Fact]
    public void A_peer_that_takes_nothing_stops_the_reading()
    {
        using var body = new TrickleStream(Body(100_000), atOnce: int.MaxValue);
        var call = Attended(new CoapRequest(RequestCode.Put, "/large") { Body = BodySource.From(body, 100_000) });

        Settle(() => Wire.Sent(Direction.ToServer).Count > 0);
        Server.Expect($"CON [A] PUT /large (Token T) {{Block1: 0/1/1024, Size1: 100000}} '{Part(100_000, 0, 1024)}'");
        Settle(() => body.Taken >= ReadAhead);

        body.Taken.Should().Be(ReadAhead);
        call.IsCompleted.Should().BeFalse();
    }

    [Fact]
    public void Cancelling_while_the_stream_is_being_written_ends_the_call()
    {
        using var cancel = new CancellationTokenSource();
        var writer = new WatchedWriter(new Pipe(new PipeOptions(pauseWriterThreshold: 1, resumeWriterThreshold: 1, useSynchronizationContext: false)).Writer);
        var call = Attended(new CoapRequest(RequestCode.Get, "/large") { ResponseBody = BodyTarget.To(writer) }, cancel.Token);
        ServeUntilBlocked(writer);

        cancel.Cancel();
        Settle(() => call.IsCompleted);

        call.Invoking(one => one.Answer()).Should().Throw<OperationCanceledException>();
        Client.Lane.Exchanges.Count.Should().Be(0);
    }

    // CLIENT                                                     SERVER
    //   | CON, GET, /large                             ------>     |
    //   | <------   ACK, 2.05 Content, ETag 01, 2:0/1/1024         |
    //   | CON, GET, /large, 2:1/0/1024                 ------>     |   (nothing comes back: time-out)
    //   ...
    //   | CON, GET, /large, 2:1/0/1024                 ------>     |   (a new call)
    //   | <------   ACK, 2.05 Content, ETag 01, 2:1/0/1024         |
    [Fact, Trait("RFC", "7959 2.4")]
    public void A_broken_download_goes_on_where_it_broke()
    {
        using var destination = new MemoryStream();
        var broken = Attended(new CoapRequest(RequestCode.Get, "/large") { ResponseBody = BodyTarget.To(destination) });
        Block("CON [A] GET /large (Token T)", "A", "T", "ETag: 0x01, Block2: 0/1/1024", 0, 1024);
        Settle(() => destination.Length == 1024);
        Server.TakeAll(seconds: 120);
        Settle(() => broken.IsCompleted);
        var position = broken.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().Which.Position;

        var rest = Attended(new CoapRequest(RequestCode.Get, "/large") { ResponseBody = BodyTarget.To(destination), ResumeFrom = position });
        Block("CON [B] GET /large (Token U) {Block2: 1/0/1024}", "B", "U", "ETag: 0x01, Block2: 1/0/1024", 1024, 1500);
        Settle(() => rest.IsCompleted);

        position.Should().Be(new TransferPosition(1024, new ETag(new byte[] { 1 })));
        rest.Answer().Code.Should().Be(ResponseCode.Content);
        destination.ToArray().Should().Equal(Body(1500));
    }

    [Fact, Trait("RFC", "7959 2.4")]
    public void A_download_does_not_go_on_with_another_representation()
    {
        using var destination = new MemoryStream();
        var position = new TransferPosition(48, new ETag(new byte[] { 1 }));
        var rest = Attended(new CoapRequest(RequestCode.Get, "/large") { ResponseBody = BodyTarget.To(destination), ResumeFrom = position });

        Block("CON [B] GET /large (Token U) {Block2: 3/0/16}", "B", "U", "ETag: 0x02, Block2: 3/0/16", 48, 60);
        Settle(() => rest.IsCompleted);

        rest.Invoking(one => one.Answer()).Should().Throw<CoapTransferException>().WithMessage("*changed*").Which.Position.Should().BeNull();
        destination.Length.Should().Be(0);
    }

    // The end of the call wakes the lane as well, for Settle.
    private Task<CoapResponse> Attended(CoapRequest request, CancellationToken cancellationToken = default)
    {
        var call = NoContext.Run(() => Client.ChannelTo(Wire.Server).SendAsync(request, cancellationToken).AsTask());
        _ = call.ContinueWith(_ => Client.Lane.Post(new LaneAction(static () => { })), TaskScheduler.Default);
        return call;
    }

    private void Block(string expected, string id, string token, string options, int from, int to)
    {
        Server.Expect(expected);
        Server.Send($"ACK [{id}] 2.05 Content (Token {token}) {{{options}}} '{Text(to)[from..]}'");
    }

    /// <summary>Answers what is asked for, until the pipe is full and nothing is asked any more; how many blocks were asked for in all.</summary>
    private int ServeUntilBlocked(WatchedWriter writer)
    {
        Client.AwaitWork();
        var served = Serve(total: 20);
        writer.AwaitBlocked();
        return Serve(total: 20, from: served);
    }

    /// <summary>Answers what is asked for, until nothing is asked any more; how many blocks were asked for in all.</summary>
    private int Serve(int total, int from = 0)
    {
        for (var number = from; number < total; number++)
        {
            if (!Wire.RunUntil(() => Wire.Sent(Direction.ToServer).Count > number, TimeSpan.Zero)) { return number; }
            var asked = number == 0 ? "" : $" {{Block2: {number}/0/1024}}";
            Block($"CON [M{number}] GET /large (Token T{number}){asked}", $"M{number}", $"T{number}", $"Block2: {number}/1/1024", number * 1024, (number + 1) * 1024);
        }
        return total;
    }

    // The caller's part of a call is done by other threads, which bring the lane work: real time passes, simulated time does not.
    private void Settle(Func<bool> isDone)
    {
        while (!Wire.RunUntil(isDone, TimeSpan.Zero)) { Client.AwaitWork(); }
    }

    /// <summary>A writer that tells when a flush has to wait for the reader.</summary>
    private sealed class WatchedWriter(PipeWriter writer) : PipeWriter
    {
        private readonly TaskCompletionSource _blocked = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public void AwaitBlocked() => _blocked.Task.Wait(TimeSpan.FromMinutes(1)).Should().BeTrue();

        public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
        {
            var flush = writer.FlushAsync(cancellationToken);
            if (!flush.IsCompleted) { _blocked.TrySetResult(); }
            return flush;
        }

        public override void Advance(int bytes) => writer.Advance(bytes);

        public override Memory<byte> GetMemory(int sizeHint = 0) => writer.GetMemory(sizeHint);

        public override Span<byte> GetSpan(int sizeHint = 0) => writer.GetSpan(sizeHint);

        public override void CancelPendingFlush() => writer.CancelPendingFlush();

        public override void Complete(Exception? exception = null) => writer.Complete(exception);
    }
}
