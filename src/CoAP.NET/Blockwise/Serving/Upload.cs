using System.Buffers;
using System.IO.Pipelines;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Blockwise;

// Receiving ──block──► Receiving, or Held while the reader has no room ──room──► Receiving
//     │                     │
//     ├──last block──► Held until the handler answers ──► ended, with its answer
//     ├──the handler answers early──► Answered ──block, after a success the last one──► ended, with its answer
//     └──a block missing, too large, lifetime over, begun anew, the endpoint ends──► ended; the reader gets a CoapTransferException

/// <summary>A request whose handler reads its body while blocks come. At most one block waits for room; its acknowledgement is what holds the client back.</summary>
internal sealed class Upload : IStreamedBody, ILaneDeadline
{
    // The same block in so many messages: more than a client has reason to send while it waits.
    private const int MostHeld = 4;

    private static readonly CoapResponse TooEarly = Response.Unavailable(TimeSpan.FromSeconds(1));

    private readonly ExchangeLane _lane;
    private readonly LaneBodies _bodies;
    private readonly long _limit;
    private readonly Output<Answer> _answers;
    private readonly Pipe _pipe;
    private readonly BlockSequence _sequence = new();
    private readonly List<(ServerExchange Exchange, Block1 Block)> _held = [];
    private CoapResponse? _answer;
    private bool _isWhole;
    private bool _isOver;

    /// <param name="lane">The lane.</param>
    /// <param name="bodies">Knows it while it goes on.</param>
    /// <param name="key">Which body it is.</param>
    /// <param name="limit">The most bytes of the body.</param>
    /// <param name="answers">The arrow to the stage that cuts responses.</param>
    public Upload(ExchangeLane lane, LaneBodies bodies, in BodyKey key, long limit, Output<Answer> answers)
    {
        (_lane, _bodies, Key, _limit, _answers) = (lane, bodies, key, limit, answers);
        var window = bodies.Settings.StreamWindow;
        _pipe = new Pipe(new PipeOptions(pauseWriterThreshold: window, resumeWriterThreshold: window / 2, useSynchronizationContext: false));
    }

    public BodyKey Key { get; }

    /// <summary>Whether it has ended.</summary>
    public bool IsOver => _isOver;

    public long Deadline { get; private set; }

    public int QueueIndex { get; set; }

    /// <summary>The request as its handler sees it.</summary>
    public IncomingRequest For(IncomingRequest first)
    {
        var message = new CoapMessage
        {
            Type = MessageType.NonConfirmable,
            Code = first.Message.Code,
            Token = first.Message.Token,
            Options = first.Options.Without(Block1.Declaration.Number),
        };
        return first.WithStream(message, this, _pipe.Reader.AsStream());
    }

    /// <summary>Whether a block 0 is the one that is there already, in another message, and no new beginning.</summary>
    public bool IsRepeated(Block1 block, ReadOnlyMemory<byte> payload) => _sequence.Find(block, payload) == BlockPlace.Repeated;

    /// <summary>Whether the body is too large as far as it can be known, a 4.13.</summary>
    public ReceiveOutcome.Rejected? FindExcess(IncomingRequest request, Block1 block)
    {
        var known = BlockSize.Of(block).OffsetOf(block.BlockNumber) + request.Payload.Length;
        var size = Math.Max(request.Options.Get<Size1>()?.Value ?? 0, known);
        return size <= _limit ? null : new(
            ResponseCode.RequestEntityTooLarge,
            $"The body has {size} bytes or more; at most {_limit} are taken.",
            new Size1((uint)Math.Min(_limit, uint.MaxValue)));
    }

    /// <summary>Takes a block.</summary>
    public void OnBlock(IncomingRequest request, Block1 block)
    {
        if (BlockSequence.FindFault(block, request.Payload.Length, request.IsReliable) is { } fault) { Reject(request, fault); }
        else if (_answer is { } early && IsDue(early, request, block))
        {
            Reply(request, block, early);
            End("The handler has answered.");
        }
        else if (FindExcess(request, block) is { } excess) { Reject(request, excess); }
        else { OnPlace(_sequence.Find(block, request.Payload), request, block); }
    }

    /// <summary>The handler has answered.</summary>
    public void OnAnswer(CoapResponse response)
    {
        if (_isOver)
        {
            _lane.Metrics.LateAnswers++;
            BodiesOut.LetGo(response);
            return;
        }
        _pipe.Reader.Complete();
        if (!_isWhole && (response.IsSuccess || _held.Count == 0))
        {
            _answer = response;
            ReplyHeld(Continue);
            Live();
            return;
        }
        ReplyHeld((_, _) => response);
        End("The handler has answered.");
    }

    public void OnDeadline() => End($"No block came for {TimeSpan.FromTicks(_bodies.Limits.Lifetime).TotalSeconds:0} s after byte {_sequence.Received}.");

    /// <summary>Ends it. Who reads gets the reason instead of the end of the body.</summary>
    public void End(string reason)
    {
        if (_isOver) { return; }
        _isOver = true;
        _lane.Unschedule(this);
        _bodies.Remove(this);
        // Until they are answered they count among the requests that the lane has room for.
        ReplyHeld((_, _) => Response.Error(ResponseCode.RequestEntityIncomplete, reason));
        _pipe.Writer.Complete(new CoapTransferException(reason));
    }

    /// <summary>No more blocks can come. A body that is whole is left to its handler, whose answer ends it.</summary>
    public void Disconnect()
    {
        if (!_isWhole) { End("The connection has ended."); }
    }

    // After a success the client goes on sending, and the last block gets the final response (RFC 7959, section 2.3); an error stops it at once.
    private bool IsDue(CoapResponse early, IncomingRequest request, Block1 block) =>
        !early.IsSuccess || (!block.HasMore && _sequence.Find(block, request.Payload) != BlockPlace.OutOfOrder);

    private void OnPlace(BlockPlace place, IncomingRequest request, Block1 block)
    {
        switch (place)
        {
            case BlockPlace.Next when _held.Count > 0:
                Reply(request, block, TooEarly);    // nobody waits for the acknowledgement of the block before it
                break;
            case BlockPlace.Next:
                Take(request, block);
                break;
            case BlockPlace.Repeated when _held.Count >= MostHeld:
                Reply(request, block, TooEarly);
                break;
            case BlockPlace.Repeated when _held.Count > 0 || !block.HasMore:
                Hold(request, block);
                break;
            case BlockPlace.Repeated:
                Acknowledge(request, block);
                break;
            default:
                Reject(request, BlockSequence.Incomplete(block, _sequence.Received));
                break;
        }
    }

    private void Take(IncomingRequest request, Block1 block)
    {
        _sequence.Take(request.Payload);
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
        _lane.Post(new LaneAction(OnRoom));
    }

    private void OnRoom()
    {
        if (_isOver || _isWhole) { return; }
        ReplyHeld(Continue);
        Live();
    }

    private void Acknowledge(IncomingRequest request, Block1 block)
    {
        Reply(request, block, Continue(request, block));
        Live();
    }

    private CoapResponse Continue(IncomingRequest request, Block1 block) =>
        new(ResponseCode.Continue) { Options = [_bodies.Received.Acknowledge(block, hasMore: true, request.IsReliable)] };

    private void Hold(IncomingRequest request, Block1 block)
    {
        _lane.Unschedule(this);
        _held.Add((new ServerExchange(_lane, Final(request, block), _answers), block));
    }

    private void ReplyHeld(Func<IncomingRequest, Block1, CoapResponse> response)
    {
        foreach (var (exchange, block) in _held) { exchange.Answer(response(exchange.Request, block)); }
        _held.Clear();
    }

    private void Reply(IncomingRequest request, Block1 block, CoapResponse response) =>
        _answers.Emit(new Answer(Final(request, block), response, isAcknowledged: false));

    private IncomingRequest Final(IncomingRequest request, Block1 block) =>
        request.WithBody(request.Message, _bodies.Received.Acknowledge(block, hasMore: false, request.IsReliable));

    private void Reject(IncomingRequest request, ReceiveOutcome.Rejected rejected)
    {
        var error = Response.Error(rejected.Code, rejected.Diagnostic, rejected.Hint is { } hint ? [hint] : []);
        _answers.Emit(new Answer(request, error, isAcknowledged: false));
        ReplyHeld((_, _) => error);
        End(rejected.Diagnostic);
    }

    private void Live()
    {
        Deadline = _lane.Now + _bodies.Limits.Lifetime;
        _lane.Schedule(this);
    }
}
