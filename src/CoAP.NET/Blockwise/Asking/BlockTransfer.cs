using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>The bodies of one call, block by block (RFC 7959). The lane's alone.</summary>
/// <remarks>
/// <code>
/// Start ──fits──► whole ──response──► download ──► Complete
///   └──► upload ──last response──────────┘   whatever is refused or broken ends the call then and there
/// </code>
/// While the caller reads or writes, nothing is outstanding, or what was read before is on its way.
/// </remarks>
internal sealed partial class BlockTransfer : IBodyTransfer, ICallerTaskOwner
{
    private readonly ClientCall _call;
    private readonly CoapRequest _request;
    private readonly BlockTransfers _transfers;
    private readonly TransferPlan _plan;
    private readonly UploadBody _body;
    private readonly DownloadBody _received;
    private BlockUpload? _upload;
    private BlockDownload? _download;
    private RequestTags.Operation _operation;
    private int? _tag;
    private OptionSet _options;
    private Block2? _asking;
    private CoapMessage? _last;
    private Exception? _failure;
    private bool _awaitsBody;
    private int _restarts;
    private bool _isOther;      // the representation changed in the middle, or is not the one to go on with
    private long _sent;

    public BlockTransfer(ClientCall call, BlockTransfers transfers)
    {
        (_call, _transfers, _request, _plan, _options) = (call, transfers, call.Request, transfers.PlanOf(call), call.Options);
        var settings = transfers.Settings;
        _body = call.Request.Body is { } source ? new UploadBody(source, settings.ReadAhead) : new UploadBody(call.Request.Payload);
        _received = new DownloadBody(call.Request.ResponseBody, settings.ReadAhead);
        _restarts = settings.MaxRestarts;
    }

    /// <summary>Whether the server has taken blocks of the body.</summary>
    public bool HasSentBlocks => _upload is { Offset: > 0 };

    /// <summary>Sends the first message.</summary>
    public void Start()
    {
        if (!_plan.FitsWhole) { BeginUpload(_plan.Size); }
        SendBlock();
    }

    /// <summary>The response to the last message.</summary>
    public void OnResponse(CoapMessage response)
    {
        if (_download is not null) { OnDownloaded(response); }
        else if (_upload is not null) { OnUploaded(response); }
        else if (!TryInBlocks(response)) { OnDownloaded(response); }
    }

    /// <summary>There is no response to the last message.</summary>
    public void OnFailure(Exception error)
    {
        var isUnderWay = _upload is { Offset: > 0 } || _download is not null;
        if (isUnderWay) { Break($"The transfer with {_call.Peer} broke off: {error.Message}", error); }
        // What was read of the body is gone, so that the request must not be sent anew as if nothing had happened.
        else if (_request.Body is not null && error is CoapTransportException) { _call.Fail(new CoapTransportException(error.Message, error)); }
        else { _call.Fail(error); }
    }

    /// <summary>The caller has read or written.</summary>
    public void OnDone(CallerTask task)
    {
        if (_call.IsDone) { return; }
        if (task.Error is { } error)
        {
            _call.CancelExchange();
            _call.Fail(error);
        }
        else if (task is BodyRead read) { OnRead(read); }
        else
        {
            _received.OnWritten();
            GoOn();
        }
    }

    /// <summary>The lane has ended.</summary>
    public void Abandon() => _call.Abandon();

    /// <summary>The call has its outcome.</summary>
    public void End()
    {
        if (_tag is { } tag) { _transfers.Tags.Return(_operation, tag); }
        _tag = null;
    }

    private void BeginUpload(BlockSize size)
    {
        _upload = new BlockUpload(size, _body.Length, _plan.BertLength);
        if (_tag is not null || _options.Contains<RequestTag>()) { return; }
        _operation = new RequestTags.Operation(_call.Key.Peer, _call.Key.Local, _request.Method, _options);
        _tag = _transfers.Tags.Take(_operation);
        if (RequestTags.OptionOf(_tag.Value) is { } option) { _options = _options.With(option); }
    }

    // A refusal of the whole body that asks for blocks (RFC 7959, section 2.9.3).
    private bool TryInBlocks(CoapMessage response)
    {
        var length = _body.Length ?? 0;
        if (length <= BlockSize.Smallest.Bytes || !BlockUpload.AsksForBlocks(response, length)) { return false; }
        var size = BlockSize.Min(_plan.Size, BlockSize.AtMost((int)Math.Min(length - 1, int.MaxValue)));
        if (response.Options.Get<Block1>() is { } wish) { size = BlockSize.Min(size, BlockSize.Of(wish)); }
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
            _call.Fail(new ArgumentException($"The body ended before the {_body.Length} bytes that it was said to have.", "request"));
            return;
        }
        if (!_awaitsBody) { SendBlock(offset, block, isLast); }
        // Which may have ended the call.
        if (!_call.IsDone && _body.NextRead(this, capacity) is { } read) { _call.Work!.Ask(read); }
    }

    private void SendBlock(long offset, ReadOnlyMemory<byte> block, bool isLast)
    {
        // A stream that turns out to fit into one message goes without Block1.
        if (offset == 0 && isLast && _request.Body is not null && _upload is { IsRetry: false }) { _upload = null; }
        var options = BlockOptions.ForUpload(_options, _upload?.Send(block.Length, isLast), offset == 0 ? _body.Length : null);
        if (isLast && FirstBlock() is { } wish) { options = options.With(wish); }
        _call.Send(options, block);
    }

    /// <summary>What the first response is asked to be: the preferred size, or where to go on.</summary>
    private Block2? FirstBlock()
    {
        if (_request.ResumeFrom is { } position) { return BlockDownload.FirstBlock(_plan.Rules.Preferred, position.Offset); }
        var isEarly = _request.PreferredBlockSize is not null || (!_plan.Rules.AllowsBert && _transfers.Settings.NegotiatesEarly);
        return isEarly ? new Block2(0, false, _plan.Rules.Preferred.Exponent) : null;
    }

    private void OnRead(BodyRead read)
    {
        _body.OnRead(read);
        if (_awaitsBody) { SendBlock(); }
    }

    private void OnUploaded(CoapMessage response)
    {
        switch (_upload!.Receive(response))
        {
            case UploadOutcome.SendNext:
                _body.Discard(_upload.Offset);
                Report();
                SendBlock();
                break;
            case UploadOutcome.Completed:
                OnDownloaded(response);
                break;
            case UploadOutcome.Rejected:
                _call.Complete(response.Code, response.Options, response.Payload);
                break;
            case UploadOutcome.Broken broken:
                Break(broken.Reason);
                break;
        }
    }
}
