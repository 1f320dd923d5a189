namespace CoAP.Blockwise;

/// <content>The body of the response.</content>
internal sealed partial class BlockTransfer
{
    private bool CanRestart =>
        (_request.Method == RequestCode.Get || _request.Method == RequestCode.Fetch)
        && _request.Body is null && _received.IsCollected && _request.ResumeFrom is null && _restarts > 0;

    private void OnDownloaded(CoapMessage response)
    {
        _download ??= new BlockDownload(_plan.Rules, _request.ResumeFrom?.Offset ?? 0, _request.ResumeFrom?.ETag);
        switch (_download.Receive(response))
        {
            case DownloadOutcome.AskNext next:
                _received.Append(next.Payload);
                _asking = next.Block;
                Report();
                GoOn();
                break;
            case DownloadOutcome.Completed completed:
                if (response.Code.MayHavePayload) { _received.Append(completed.Payload); }
                _last = response;
                Report();
                GoOn();
                break;
            case DownloadOutcome.Rejected:
                _call.Complete(response.Code, response.Options, response.Payload);
                break;
            case DownloadOutcome.Changed when CanRestart:
                Restart();
                break;
            case DownloadOutcome.Changed changed:
                _isOther = true;
                Break(changed.Reason);
                break;
            case DownloadOutcome.Broken broken:
                Break(broken.Reason);
                break;
        }
    }

    /// <summary>Asks for the next block, or ends, as far as what was received has found its way to the caller.</summary>
    private void GoOn()
    {
        if (_received.NextWrite(this) is { } write) { _call.Work!.Ask(write); }
        if (_failure is not null || _last is not null)
        {
            if (_received.IsFlushed) { Finish(); }
        }
        else if (_asking is { } block && !_received.IsFull)
        {
            _asking = null;
            _call.Send(BlockOptions.ForDownload(_options, block), default);
        }
    }

    private void Finish()
    {
        if (_failure is null)
        {
            _call.Complete(_last!.Code, BlockOptions.OfWhole(_last.Options), _received.IsCollected ? _received.Collect() : default);
            return;
        }
        _call.Fail(_failure is CoapTransferException broken ? new CoapTransferException(broken.Message, broken.InnerException) { Position = Position() } : _failure);
    }

    private void Restart()
    {
        _restarts--;
        _received.Clear();
        (_download, _upload) = (null, null);
        Start();
    }

    /// <summary>Ends the call when the caller has what was received until now.</summary>
    private void Break(string reason, Exception? cause = null)
    {
        _failure = new CoapTransferException(reason, cause);
        GoOn();
    }

    // Only what a target has taken is the caller's, and only an ETag tells that the rest belongs to it; of another representation there is no rest.
    private TransferPosition? Position()
    {
        var offset = (_request.ResumeFrom?.Offset ?? 0) + _received.Written;
        return !_isOther && !_received.IsCollected && _download?.ETag is { } etag && offset % BlockSize.Smallest.Bytes == 0 ? new TransferPosition(offset, etag) : null;
    }

    private void Report()
    {
        if (_call.Work is not { } work) { return; }
        var sent = _upload is null || _download is not null ? _body.Length ?? _sent : _upload.Offset;
        _sent = Math.Max(_sent, sent);
        work.Report(new TransferProgress(_sent, _download?.Offset ?? 0, _body.Length, _download?.Length));
    }
}
