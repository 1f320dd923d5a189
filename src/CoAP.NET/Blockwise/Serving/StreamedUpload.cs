using System.Buffers;
using System.IO.Pipelines;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Blockwise;

// Receiving ──block──► Receiving, or Held while the window is full ──reader makes room──► Receiving
//     │
//     ├──last block──► Held until the handler answers ──► ended with its answer
//     ├──early answer of the handler──► Answered ──next block (error) or last block (success)──► ended with that answer
//     └──missing or too large block, end of lifetime, restart by the client, end of the endpoint──► ended; the reader gets a CoapTransferException

/// <summary>
/// A request whose handler reads the body while its blocks arrive. At most one new block waits for room in the window. The client waits for
/// the acknowledgement of that block before it sends the next one.
/// </summary>
/// <param name="lane">The lane.</param>
/// <param name="bodies">The store that holds this request.</param>
/// <param name="key">The key of the body.</param>
/// <param name="limit">The largest body in bytes.</param>
/// <param name="answers">The output for answers, which leads to the stage that cuts responses into blocks.
/// It is lent, because the handler, its reader and the lifetime of the body cause answers after the stage has returned.</param>
/// <param name="failures">Ends requests whose late answers make a stage fail.</param>
internal sealed class StreamedUpload(
    ExchangeLane lane, ServedBodyStore bodies, in BodyKey key, long limit, Output<Answer> answers, RequestFailures failures)
    : IStreamedBody, IMovableDeadline
{
    // Messages with the same block that are held at a time. A client that waits does not need to send more.
    private const int MaxHeld = 4;

    // Handlers that wait for slow clients must not hold all threads. Like a client, a server limits how far a body may fall behind a rate
    // (ClientTransferSettings.MinRate).
    private const int MinRate = 16;
    private static readonly TimeSpan RateWindow = TimeSpan.FromMinutes(10);

    private static readonly CoapResponse TryLater = Response.Unavailable(TimeSpan.FromSeconds(1));

    private readonly Pipe _pipe = CreatePipe(bodies.Window);
    private readonly BlockSequence _sequence = new();
    private readonly List<(UnansweredRequest Exchange, Block1 Block)> _held = [];
    private long _slowUntil = lane.After(RateWindow);
    private CoapResponse? _answer;
    private CoapTransferException? _failure;
    private volatile bool _isWhole;

    public BodyKey Key { get; } = key;

    /// <summary>Whether the transfer has ended.</summary>
    public bool IsOver { get; private set; }

    public CoapTransferException? Failure => Volatile.Read(ref _failure);

    public bool IsWhole => _isWhole;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    /// <summary>Returns the request that the handler gets.</summary>
    public IncomingRequest ForHandler(IncomingRequest first)
    {
        var options = first.Options.Without(Block1.Declaration.Number);
        var message = new CoapMessage(MessageType.NonConfirmable, first.Method, default, first.Message.Token, options, default);
        first.HoldServices();   // the copy ends after its original
        return first.WithStream(message, this, new BodyReader(_pipe.Reader).AsStream());
    }

    /// <summary>Returns <see langword="true"/> if another message repeats a known block, and <see langword="false"/> if block 0 starts a new body.</summary>
    public bool IsRepeated(Block1 block, ReadOnlyMemory<byte> payload) => _sequence.Find(block, payload) == BlockPlace.Repeated;

    /// <summary>Returns a 4.13 if Size1 or the position of a block shows that the body is too large.</summary>
    public ReceiveOutcome.Rejected? FindExcess(IncomingRequest request, Block1 block)
    {
        var known = BlockSize.Of(block).OffsetOf(block.BlockNumber) + request.Payload.Length;
        var size = Math.Max(request.Options.Get<Size1>()?.Value ?? 0, known);
        return size <= limit ? null : new(
            ResponseCode.RequestEntityTooLarge, $"The body has at least {size} bytes; at most {limit} are accepted.",
            new Size1((uint)Math.Min(limit, uint.MaxValue)));
    }

    /// <summary>Processes a block.</summary>
    public void OnBlock(IncomingRequest request, Block1 block)
    {
        if (BlockSequence.FindFault(block, request.Payload.Length, request.IsReliable) is { } fault) { Reject(request, fault); }
        else if (_answer is { } early && IsFinalFor(early, request, block))
        {
            _answer = null;
            Reply(request, block, early);
            End("The handler has answered.");
        }
        else if (FindExcess(request, block) is { } excess) { Reject(request, excess); }
        else { OnPlace(_sequence.Find(block, request.Payload), request, block); }
    }

    /// <summary>Processes the handler's answer.</summary>
    public void OnAnswer(CoapResponse response)
    {
        if (IsOver)
        {
            lane.Metrics[LaneCounters.LateAnswers]++;
            response.CloseSource();
            return;
        }
        _pipe.Reader.Complete();
        if (!_isWhole && (response.IsSuccess || _held.Count == 0))
        {
            _answer = response;
            ReplyHeld(Continue);
            ExtendLifetime();
            return;
        }
        ReplyHeld((_, _) => response);
        End("The handler has answered.");
    }

    public void OnDeadline() => End(lane.Now >= _slowUntil
        ? $"The body was slower than {MinRate} bytes a second and fell {RateWindow.TotalMinutes:0} minutes behind at byte {_sequence.Received}."
        : $"No block arrived for {bodies.Settings.BlockTimeout.TotalSeconds:0} s after byte {_sequence.Received}.");

    /// <summary>Ends the transfer. A reader gets a <see cref="CoapTransferException"/> with the reason.</summary>
    public void End(string reason)
    {
        if (IsOver) { return; }
        IsOver = true;
        lane.Unschedule(this);
        bodies.Remove(this);
        _answer?.CloseSource();
        // Held requests count against the lane's limit of requests until they are answered.
        RefuseHeld(Response.Error(ResponseCode.RequestEntityIncomplete, reason));
        var failure = new CoapTransferException(reason);
        Volatile.Write(ref _failure, failure);
        _pipe.Writer.Complete(failure);
    }

    /// <summary>Ends the transfer of an incomplete body, which gets no further block. A complete body ends with the handler's answer.</summary>
    public void EndIncomplete(string reason)
    {
        if (!_isWhole) { End(reason); }
    }

    // After an early success, the last block gets the final response (RFC 7959, section 2.3). An error stops the client at once.
    private bool IsFinalFor(CoapResponse early, IncomingRequest request, Block1 block) =>
        !early.IsSuccess || (!block.HasMore && _sequence.Find(block, request.Payload) != BlockPlace.OutOfOrder);

    private static Pipe CreatePipe(int window) =>
        new(new PipeOptions(pauseWriterThreshold: window, resumeWriterThreshold: window / 2, useSynchronizationContext: false));

    private void OnPlace(BlockPlace place, IncomingRequest request, Block1 block)
    {
        // While the window is full, a client that does not wait for the acknowledgement of its last block tries later.
        var mustWait = place == BlockPlace.Next ? _held.Count > 0 : _held.Count >= MaxHeld;
        if (place == BlockPlace.OutOfOrder) { Reject(request, BlockSequence.Incomplete(block, _sequence.Received)); }
        else if (mustWait) { Reply(request, block, TryLater); }
        else if (place == BlockPlace.Next) { Take(request, block); }
        else if (_held.Count > 0 || !block.HasMore) { Hold(request, block); }
        else { Acknowledge(request, block); }
    }

    private void Take(IncomingRequest request, Block1 block)
    {
        _sequence.Take(KeptPayload.Of(request.Payload));
        _slowUntil = lane.SlowUntil(_slowUntil, request.Payload.Length, MinRate, RateWindow);
        if (!block.HasMore)
        {
            _isWhole = true;
            Hold(request, block);
            _pipe.Writer.Write(request.Payload.Span);
            _pipe.Writer.Complete();
            return;
        }
        var room = _pipe.Writer.WriteAsync(request.Payload);
        if (room.IsCompletedSuccessfully)
        {
            Acknowledge(request, block);
            return;
        }
        Hold(request, block);
        _ = AwaitRoomAsync(room);
    }

    private async Task AwaitRoomAsync(ValueTask<FlushResult> room)
    {
        await room.ConfigureAwait(false);
        lane.Post(new LaneAction(OnRoom));
    }

    private void OnRoom()
    {
        if (IsOver || _isWhole) { return; }
        ReplyHeld(Continue);
        _slowUntil = lane.After(RateWindow);    // the wait for the handler does not count
        ExtendLifetime();
    }

    private void Acknowledge(IncomingRequest request, Block1 block)
    {
        Reply(request, block, Continue(request, block));
        ExtendLifetime();
    }

    private CoapResponse Continue(IncomingRequest request, Block1 block) =>
        new(ResponseCode.Continue) { Options = [bodies.Received.Acknowledge(block, hasMore: true, request.IsReliable)] };

    private void Hold(IncomingRequest request, Block1 block)
    {
        lane.Unschedule(this);
        _held.Add((new UnansweredRequest(lane, ForFinalAnswer(request, block), answers, failures), block));
    }

    private void ReplyHeld(Func<IncomingRequest, Block1, CoapResponse> response)
    {
        foreach (var (exchange, block) in _held) { exchange.Answer(response(exchange.Request, block)); }
        _held.Clear();
    }

    // The handler may have read a part of the body, but the requests were not answered by it.
    private void RefuseHeld(CoapResponse error)
    {
        foreach (var (exchange, _) in _held) { (exchange.Request.IsHandled, exchange.Request.MayHaveActed) = (false, true); }
        ReplyHeld((_, _) => error);
    }

    private void Reply(IncomingRequest request, Block1 block, CoapResponse response) =>
        answers.Emit(new Answer(ForFinalAnswer(request, block), response, isAcknowledged: false));

    private IncomingRequest ForFinalAnswer(IncomingRequest request, Block1 block)
    {
        var confirmed = request.WithBody(request.Message, bodies.Received.Acknowledge(block, hasMore: false, request.IsReliable));
        (confirmed.IsHandled, confirmed.Telemetry) = (true, null);      // a block is no request of its own
        return confirmed;
    }

    private void Reject(IncomingRequest request, ReceiveOutcome.Rejected rejected)
    {
        var error = BlockwiseResponse.Rejection(rejected);
        answers.Emit(new Answer(request, error, isAcknowledged: false));
        RefuseHeld(error);
        End(rejected.Diagnostic);
    }

    private void ExtendLifetime()
    {
        var idleUntil = lane.After(bodies.Settings.BlockTimeout);
        lane.WakeAt(this, lane.Ledger.BodyThreads.IsAmple ? idleUntil : Math.Min(idleUntil, _slowUntil));
    }
}
