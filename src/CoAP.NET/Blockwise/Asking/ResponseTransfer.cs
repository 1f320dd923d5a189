using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Blockwise;

/// <summary>Fetches the body of the response to one call, block by block (RFC 7959, section 2.4). Used on the lane only.</summary>
/// <param name="transfer">The transfer of the request that is answered.</param>
/// <param name="call">The call.</param>
/// <param name="rules">The block size and the limits of the body.</param>
/// <param name="transfers">The settings of transfers, and the limit of all responses.</param>
internal sealed class ResponseTransfer(BlockTransfer transfer, ClientCall call, DownloadRules rules, BlockTransfers transfers)
{
    private readonly CoapRequest _request = call.Request;
    private readonly ResponseBodyCollector _body = new(call.Request.ResponseBody, transfers.Settings.ReadAhead);
    private ResponseShare _share = new(transfers.Responses);
    private BlockDownload? _download;
    private Block2? _nextBlock;
    private CoapMessage? _last;
    private CoapTransferException? _failure;
    private int _restarts = transfers.Settings.MaxRestarts;
    private bool _hasChanged;   // the representation is not the one that the received bytes belong to

    /// <summary>Whether a response has arrived.</summary>
    public bool HasBegun => _download is not null;

    /// <summary>The bytes of the body that have arrived.</summary>
    public long Offset => _download?.Offset ?? 0;

    /// <summary>The length of the body; <see langword="null"/> if it is not known.</summary>
    public long? Length => _download?.Length;

    private bool CanRestart =>
        _request.Method.IsSafe && _request.Body is null && _body.IsCollected && _request.ResumeFrom is null && _restarts > 0;

    /// <summary>Processes a response, which holds the whole body or a block of it.</summary>
    public void OnResponse(CoapMessage response)
    {
        var offset = Offset;
        _download ??= Begin();
        switch (_download.Receive(response))
        {
            case DownloadOutcome.AskNext when _body.IsCollected && !_share.TrySet(_download.Offset):
                _body.Clear();
                Break(transfers.Responses.Describe(call.Peer));
                break;
            case DownloadOutcome.AskNext next:
                OnBlock(next);
                break;
            case DownloadOutcome.Completed completed:
                if (response.Code.MayHavePayload) { _body.Append(completed.Payload); }
                _last = response;
                transfer.Report();
                Continue();
                break;
            // The server has kept the response for the endpoint of an earlier session.
            case DownloadOutcome.Rejected when offset > 0 && transfer.TakeNewSession():
                OnForgotten(response.Code);
                break;
            case DownloadOutcome.Rejected:
                call.Complete(response.Code, response.Options, response.Payload);
                break;
            case DownloadOutcome.Changed when CanRestart:
                Restart();
                break;
            case DownloadOutcome.Changed changed:
                _hasChanged = true;
                Break(changed.Reason);
                break;
            case DownloadOutcome.Broken broken:
                Break(broken.Reason);
                break;
        }
    }

    /// <summary>Continues after the caller has written to the target.</summary>
    public void OnWritten()
    {
        _body.OnWritten();
        Continue();
    }

    /// <summary>Fails the call as soon as the target has taken all bytes that have arrived.</summary>
    public void Break(string reason, Exception? cause = null)
    {
        _failure = new CoapTransferException(reason, cause);
        Continue();
    }

    /// <summary>Returns the bytes of the body to the budget.</summary>
    public void End() => _share.Clear();

    /// <summary>Adds the position from which the download can be resumed.</summary>
    public void AddPosition(CoapTimeoutException timeout) => timeout.Position = Position();

    /// <summary>Requests the next block or ends the call, unless bytes must be written first.</summary>
    private void Continue()
    {
        if (_body.NextWrite(transfer) is { } write) { call.Work!.Ask(write); }
        if (_failure is not null || _last is not null)
        {
            if (_body.IsFlushed) { Finish(); }
        }
        else if (_nextBlock is { } block && !_body.IsFull)
        {
            _nextBlock = null;
            call.Send(BlockOptions.ForDownload(transfer.Options, block), default);
        }
    }

    private BlockDownload Begin()
    {
        transfer.TakeNewSession();
        return new BlockDownload(rules, _request.ResumeFrom?.Offset ?? 0, _request.ResumeFrom?.ETag);
    }

    private void OnBlock(DownloadOutcome.AskNext block)
    {
        call.Accept(block.Payload.Length);
        _body.Append(block.Payload);
        _nextBlock = block.Block;
        transfer.Report();
        Continue();
    }

    private void OnForgotten(CoapCode answer)
    {
        if (CanRestart) { Restart(); }
        else { Break($"The session with {call.Peer} was replaced after {Offset} bytes of the body, and the server answered {answer} to the next block."); }
    }

    private void Finish()
    {
        if (_failure is null)
        {
            call.Complete(_last!.Code, BlockOptions.OfWhole(_last.Options), _body.IsCollected ? _body.Collect() : default);
            return;
        }
        call.Fail(new CoapTransferException(_failure.Message, _failure.InnerException) { Position = Position() });
    }

    private void Restart()
    {
        _restarts--;
        _body.Clear();
        _share.Clear();
        _download = null;
        transfer.Restart();
    }

    // Only written bytes reach the caller, and only an ETag shows that later bytes belong to them. A changed representation cannot be resumed.
    private TransferPosition? Position()
    {
        var offset = (_request.ResumeFrom?.Offset ?? 0) + _body.Written;
        return !_hasChanged && !_body.IsCollected && _download?.ETag is { } etag && offset % BlockSize.Smallest.Bytes == 0
            ? new TransferPosition(offset, etag)
            : null;
    }
}
