using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>A response whose body is a stream. Blocks are read one at a time, off the lane, when the client requests them (RFC 7959, section 2.4).</summary>
/// <param name="lane">The lane.</param>
/// <param name="bodies">The store that holds this response.</param>
/// <param name="request">The request that is answered.</param>
/// <param name="response">The response with the stream and an ETag.</param>
/// <param name="answers">The output for blocks that have been read. It is lent, because reads end after the stage has returned.</param>
/// <param name="failures">Ends requests whose late blocks make a stage fail.</param>
internal sealed class StreamedDownload(
    ExchangeLane lane, ServedBodyStore bodies, IncomingRequest request, CoapResponse response, Output<Answer> answers, RequestFailures failures)
    : IMovableDeadline, IDisposable
{
    // A client requests one block after another, so more requests at a time are repetitions or come too early.
    private const int MaxWaiting = 4;

    private readonly CoapResponse _response = response;
    private readonly OptionSet _further = response.Options.Without(Observe.Declaration.Number);
    private readonly StreamBlockReader _window = new(response.Source!.Stream, lane.Runtime);
    private readonly CancellationTokenSource _ending = new();
    private readonly Queue<Wait> _waiting = new();
    private Wait? _reading;
    private long? _total = response.Source!.Length;
    private bool _isOver;

    /// <summary>A request that waits for its block.</summary>
    private sealed record Wait(Answer Answer, UnansweredRequest? Exchange, Block2? Wanted, BlockSize Size, int Length)
    {
        public bool IsFirst { get; init; }
    }

    public BodyKey Key { get; } = ServedBodyStore.KeyOf(request);

    public ulong RequestHash { get; } = BodyKey.HashOf(request.Payload.Span);

    /// <summary>Whether the handler could be called again for the stream.</summary>
    public bool IsSafe { get; } = request.Method.IsSafe;

    public long Deadline { get; set; }

    public int QueueIndex { get; set; }

    /// <summary>Answers a request with the requested block.</summary>
    public void Serve(in Answer item, Block2? wanted, bool isFirst)
    {
        var request = item.Request;
        if (_waiting.Count >= MaxWaiting) { Reply(item, Response.Unavailable(TimeSpan.FromSeconds(1))); }
        else if (Prepare(item, wanted) is { } wait)
        {
            _waiting.Enqueue(wait with { IsFirst = isFirst });
            lane.Unschedule(this);
            ReadNext();
        }
        else
        {
            Reply(item, BlockwiseResponse.NoBlockFits());
            if (isFirst) { End(); }
        }
    }

    public void Dispose() => End();

    public void OnDeadline() => End();

    /// <summary>Ends the transfer and closes the stream.</summary>
    public void End()
    {
        if (_isOver) { return; }
        _isOver = true;
        lane.Unschedule(this);
        bodies.Remove(this);
        // Callbacks on the token are user code, which must not run on a lane.
        lane.Runtime.CancelOffLane(_ending);
        while (_waiting.TryDequeue(out var wait)) { Reply(wait, BlockwiseResponse.Gone()); }
        if (_reading is null) { Release(); }
    }

    private Wait? Prepare(in Answer item, Block2? wanted)
    {
        var request = item.Request;
        var room = ResponseRoom.Of(bodies, request);
        if (!room.TryFindSize(_response.Options, BlockwiseResponse.Preferred(bodies, request, wanted), out var most, out var bytes)) { return null; }
        var size = BodySlice.Agree(wanted, most);
        var length = size.IsBert ? bytes : size.Bytes;
        var exchange = item.Sender is null ? new UnansweredRequest(lane, request, answers, failures) : null;
        return new Wait(item, exchange, wanted, size, length);
    }

    private void ReadNext()
    {
        if (_reading is not null || !_waiting.TryDequeue(out _reading)) { return; }
        var wait = _reading;
        var offset = wait.Wanted is { } wanted ? BlockSize.Of(wanted).OffsetOf(wanted.BlockNumber) : 0;
        if (FindFault(wait, offset) is { } fault) { OnRead(wait, fault, isLast: false); }
        else { lane.Runtime.RunOffLane(() => _ = ReadAsync(wait, offset)); }
    }

    private CoapResponse? FindFault(Wait wait, long offset)
    {
        if (_total > wait.Size.MaxBody || offset / wait.Size.Bytes > BlockSize.MaxNumber)
        {
            return BlockwiseResponse.TooManyBlocks(_total ?? offset, wait.Size);
        }
        return offset > 0 && offset >= _total ? BlockwiseResponse.PastTheEnd(wait.Wanted!, _total.Value) : null;
    }

    private async Task ReadAsync(Wait wait, long offset)
    {
        StreamBlock? block = null;
        Exception? failure = null;
        try { block = await _window.ReadAsync(offset, wait.Length, _ending.Token).ConfigureAwait(false); }
        catch (Exception exception) // The edge to user code: the handler's stream may throw any exception.
        {
            failure = exception;
        }
        lane.Post(new LaneAction(() => OnRead(wait, offset, block, failure), Release));
    }

    private void OnRead(Wait wait, long offset, StreamBlock? block, Exception? failure)
    {
        var request = wait.Answer.Request;
        _total ??= block?.Total;
        if (failure is not null)
        {
            if (!_isOver) { lane.Log.HandlerFailed(failure, request); }
            OnRead(wait, Response.Error(ResponseCode.InternalServerError, "The server failed to read the response."), isLast: true);
        }
        else if (block is null) { OnRead(wait, BlockwiseResponse.Gone(), isLast: false); }
        else if (block == StreamBlock.TooFar) { OnRead(wait, BlockwiseResponse.TooFar(wait.Wanted!), isLast: false); }
        else if (offset > 0 && block.Bytes.IsEmpty) { OnRead(wait, BlockwiseResponse.PastTheEnd(wait.Wanted!, block.Total ?? 0), isLast: false); }
        else { OnRead(wait, Compose(wait, offset, block), isLast: !block.HasMore && IsSafe); }
    }

    private void OnRead(Wait wait, CoapResponse response, bool isLast)
    {
        _reading = null;
        Reply(wait, response);
        if (_isOver) { Release(); }
        else if (isLast) { End(); }
        else
        {
            if (_waiting.Count == 0) { lane.WakeAt(this, lane.Now + bodies.Limits.Lifetime); }
            ReadNext();
        }
    }

    private CoapResponse Compose(Wait wait, long offset, StreamBlock block)
    {
        var options = wait.IsFirst ? _response.Options : _further;
        var isWhole = offset == 0 && !block.HasMore;
        List<CoapOption> own = [];
        if (!isWhole || wait.Wanted is not null) { own.Add(new Block2((int)(offset / wait.Size.Bytes), block.HasMore, wait.Size.Exponent)); }
        if (own.Count > 0 && offset == 0 && _total is { } total and <= uint.MaxValue) { own.Add(new Size2((uint)total)); }
        if (wait.Answer.Request.LastBlock is { } last) { own.Add(last); }
        return new CoapResponse(_response.Code, own.Count == 0 ? options : options.With([.. own]), block.Bytes);
    }

    private void Reply(Wait wait, CoapResponse response)
    {
        if (wait.Exchange is { } exchange) { exchange.Answer(response); }
        else { Reply(wait.Answer, response); }
    }

    private void Reply(in Answer item, CoapResponse response) => answers.Emit(item with { Response = response });

    // The stream is user code and may be slow to close, so it is not closed on the lane.
    private void Release()
    {
        _ending.Dispose();
        lane.Runtime.RunOffLane(_window.Dispose);
    }
}
