using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Transfers the bodies of one call in blocks (RFC 7959). Used on the lane only.</summary>
/// <remarks>
/// <code>
/// Start ──fits──► whole request ──response──► ResponseTransfer ──► Complete
///   └──► request in blocks ──last response──────────┘
/// </code>
/// A rejected or broken transfer ends the call at once. If another session of a security layer has begun meanwhile, the server does not know the earlier
/// blocks, and the body begins again. While the caller reads or writes a stream, either no message is outstanding, or the
/// message carries bytes that were read earlier.
/// </remarks>
internal sealed class BlockTransfer : IBodyTransfer, ISessionFollower
{
    private readonly ClientCall _call;
    private readonly CoapRequest _request;
    private readonly BlockTransfers _transfers;
    private readonly TransferPlan _plan;
    private readonly RequestBodyReader _body;
    private readonly ResponseTransfer _response;
    private BlockUpload? _upload;
    private RequestTags.Operation _operation;
    private int? _tag;
    private bool _awaitsBody;
    private bool _isLast;
    private bool _isUnanswered;     // a block, which may be under way
    private bool _hasNewSession;    // since the server has accepted the first block
    private int _restarts;
    private long _sent;

    public BlockTransfer(ClientCall call, BlockTransfers transfers)
    {
        (_call, _transfers, _request, _plan, Options) = (call, transfers, call.Request, transfers.PlanOf(call), call.Options);
        var settings = transfers.Settings;
        _body = call.Request.Body is { } source ? new RequestBodyReader(source, settings.ReadAhead) : new RequestBodyReader(call.Request.Payload);
        (_response, _restarts) = (new ResponseTransfer(this, call, _plan.Rules, transfers), settings.MaxRestarts);
        call.Lane.SessionFollowers.Add(this);
    }

    public ChannelKey Key => _call.Key;

    /// <summary>The options of each request, without those of a block.</summary>
    public OptionSet Options { get; private set; }

    /// <summary>Whether the server has accepted blocks of the body.</summary>
    public bool HasSentBlocks => _upload is { Offset: > 0 };

    /// <summary>Sends the first message.</summary>
    public void Start()
    {
        if (!_plan.FitsWhole) { BeginUpload(_plan.Size); }
        SendBlock();
    }

    /// <summary>Sends the request again from its first block.</summary>
    public void Restart()
    {
        _upload = null;
        Start();
    }

    public void OnSessionBegun() => _hasNewSession = true;

    /// <summary>Returns whether another session has begun since the last call.</summary>
    public bool TakeNewSession()
    {
        var has = _hasNewSession;
        _hasNewSession = false;
        return has;
    }

    /// <summary>Processes the response to the last message.</summary>
    public void OnResponse(CoapMessage response)
    {
        _isUnanswered = false;
        if (_response.HasBegun) { _response.OnResponse(response); }
        else if (_upload is not null) { OnUploaded(response); }
        else if (!TryRepeatInBlocks(response)) { _response.OnResponse(response); }
    }

    /// <summary>Ends the transfer because the last message gets no response.</summary>
    public void OnFailure(Exception error)
    {
        if (error is CoapTimeoutException { EndsCall: true } timeout)
        {
            _response.AddPosition(timeout);
            _call.Fail(timeout);
            return;
        }
        // The server executes no request before its last block (RFC 7959, section 2.3).
        if (error is CoapTransportException && _upload is not null && !_isLast && !_response.HasBegun && TryRestartUpload(error)) { return; }
        var isUnderWay = _upload is { Offset: > 0 } || _response.HasBegun;
        if (isUnderWay) { _response.Break($"The transfer with {_call.Peer} failed: {error.Message}", error); }
        // The bytes read from the stream are gone, so the request must not be sent again: the new exception is not marked as unsent.
        else if (_request.Body is not null && error is CoapTransportException) { _call.Fail(new CoapTransportException(error.Message, error)); }
        else { _call.Fail(error); }
    }

    /// <summary>Continues after the caller has read from the body or written to the target.</summary>
    public void OnDone(CallerTask task)
    {
        if (_call.IsDone) { return; }
        _call.Resume();
        if (task.Error is { } error)
        {
            _call.CancelExchange();
            _call.Fail(error);
        }
        else if (task is ReadBodyTask read) { OnRead(read); }
        else { _response.OnWritten(); }
    }

    /// <summary>Ends the call because the lane has ended.</summary>
    public void Abandon() => _call.Abandon();

    /// <summary>Releases the Request-Tag of the request and the memory of the response.</summary>
    public void End()
    {
        if (_tag is { } tag) { Leave(tag); }
        _tag = null;
        _call.Lane.SessionFollowers.Remove(this);
        _response.End();
    }

    /// <summary>Reports the progress of both bodies to the caller.</summary>
    public void Report()
    {
        if (_call.Work is not { } work) { return; }
        var sent = _upload is null || _response.HasBegun ? _body.Length ?? _sent : _upload.Offset;
        _sent = Math.Max(_sent, sent);
        work.Report(new TransferProgress(_sent, _response.Offset, _body.Length, _response.Length));
    }

    private void Leave(int tag)
    {
        if (_isUnanswered && !_call.Lane.IsReliable) { _transfers.Tags.Rest(_operation, tag, _call.Lane.Now + _call.Lane.Settings.Transmission.ExchangeLifetime.Ticks); }
        else { _transfers.Tags.Return(_operation, tag); }
    }

    private void BeginUpload(BlockSize size)
    {
        _upload = new BlockUpload(size, _body.Length, _plan.BertLength);
        if (_transfers.Settings.KeepsToken) { _call.Token ??= _call.Lane.Tokens.Next(); }
        if (_tag is not null || Options.Contains<RequestTag>()) { return; }
        _operation = new RequestTags.Operation(_call.Key.Peer, _call.Key.Local, _request.Method, Options);
        _tag = _transfers.Tags.Take(_operation, _call.Lane.Now);
        if (RequestTags.OptionOf(_tag.Value) is { } option) { Options = Options.With(option); }
    }

    // The server may reject the whole body and ask for blocks (RFC 7959, section 2.9.3).
    private bool TryRepeatInBlocks(CoapMessage response)
    {
        var length = _body.Length ?? 0;
        if (length <= BlockSize.Smallest.Bytes) { return false; }
        var largest = BlockSize.Min(_plan.Size, BlockSize.AtMost((int)Math.Min(length - 1, int.MaxValue)));
        if (BlockUpload.FindWantedBlocks(response, largest) is not { } size) { return false; }
        BeginUpload(size);
        SendBlock();
        return true;
    }

    private void SendBlock()
    {
        var capacity = _upload?.Capacity ?? _plan.Size.Bytes;
        var offset = _upload?.Offset ?? 0;
        _awaitsBody = !_body.TryTake(offset, _plan.FitsWhole && _upload is null ? int.MaxValue : capacity, out var block, out var isLast);
        if (_awaitsBody && _body.IsShort)
        {
            _call.Fail(new ArgumentException($"The body ended before its announced length of {_body.Length} bytes.", "request"));
            return;
        }
        if (!_awaitsBody) { SendBlock(offset, block, isLast); }
        // Sending may have ended the call.
        if (!_call.IsDone && _body.NextRead(this, capacity) is { } read) { _call.Work!.Ask(read); }
    }

    private void SendBlock(long offset, ReadOnlyMemory<byte> block, bool isLast)
    {
        // A stream that fits into one message is sent without Block1.
        if (offset == 0 && isLast && _request.Body is not null && _upload is { IsRetry: false }) { _upload = null; }
        (_isLast, _isUnanswered) = (isLast, true);
        var options = BlockOptions.ForUpload(Options, _upload?.Send(block.Length, isLast), offset == 0 ? _body.Length : null);
        if (isLast && FirstBlock() is { } wish) { options = options.With(wish); }
        _call.Send(options, block);
    }

    /// <summary>Returns the Block2 option of the request: the preferred size, or the position to resume from.</summary>
    private Block2? FirstBlock()
    {
        if (_request.ResumeFrom is { } position) { return BlockDownload.FirstBlock(_plan.Rules.Preferred, position.Offset); }
        var isEarly = _request.PreferredBlockSize is not null || (!_plan.Rules.AllowsBert && _transfers.Settings.NegotiatesBlockSizeEarly);
        return isEarly ? new Block2(0, false, _plan.Rules.Preferred.Exponent) : null;
    }

    private void OnRead(ReadBodyTask read)
    {
        _body.OnRead(read);
        if (_awaitsBody) { SendBlock(); }
    }

    private void OnUploaded(CoapMessage response)
    {
        var before = _upload!.Offset;
        switch (_upload.Receive(response))
        {
            case UploadOutcome.SendNext:
                if (before == 0) { _hasNewSession = false; }
                if (_upload.Offset > before) { _call.Accept(_upload.Offset - before); }
                _body.Discard(_upload.Offset);
                Report();
                SendBlock();
                break;
            case UploadOutcome.Completed:
                _response.OnResponse(response);
                break;
            case UploadOutcome.Rejected when before > 0 && TryRestartUpload():
                break;
            case UploadOutcome.Rejected:
                _call.Complete(response.Code, response.Options, response.Payload);
                break;
            case UploadOutcome.Broken broken:
                _response.Break(broken.Reason);
                break;
        }
    }

    // For the server, a new session belongs to another endpoint, which has sent no block yet (RFC 7959, section 2.9.2).
    private bool TryRestartUpload(Exception? error = null)
    {
        if (!TakeNewSession() || _restarts == 0 || _call.Lane.HasEnded) { return false; }
        _restarts--;
        if (_body.TryRestart()) { Restart(); }
        else
        {
            _response.Break(
                $"The session with {_call.Peer} was replaced after {_upload!.Offset} bytes of the body. "
                + "The body has to be sent from its start, but the stream cannot be read again.", error);
        }
        return true;
    }
}
