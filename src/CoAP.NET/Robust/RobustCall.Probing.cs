using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Options;

namespace CoAP.Robust;

/// <content>
/// Finds out whether the peer supports Q-Block: by a confirmable request for block 0 alone, which a peer that does not has to answer 4.02
/// (RFC 9177, section 4.1). For a download that is the request itself, and the block its first one.
/// </content>
internal sealed partial class RobustCall
{
    private static readonly int[] PathNumbers =
        [UriHost.Declaration.Number, UriPort.Declaration.Number, UriPath.Declaration.Number, UriQuery.Declaration.Number, Echo.Declaration.Number];

    void IExchangeOwner.OnResponse(ClientExchange exchange, CoapMessage response)
    {
        _probe = null;
        if (IsOver || _call.IsDone) { return; }
        _queue.Learn(response);
        if (_queue.IsSupported != true)
        {
            OnRefused(response);
            return;
        }
        if (!_plan.FitsWhole)
        {
            Transfer();
            return;
        }
        _download = Download(_call.Request.Payload);
        _download.Begin();
        _lane.Exchanges.Add(this);
        (_isRunning, _hasHeard, _activeAt) = (true, true, _lane.Now);
        _download.AskNow();
        OnDownloaded(response);
    }

    void IExchangeOwner.OnFailure(ClientExchange exchange, Exception error)
    {
        _probe = null;
        if (IsOver) { return; }
        if (error is CoapResetException or CoapTimeoutException { IsAcknowledged: false })
        {
            _queue.LearnNothingCame();
            FallBack();
        }
        else { _call.Fail(error); }
    }

    private void Probe()
    {
        var isDownload = _plan.FitsWhole;
        var wish = new QBlock2(0, hasMore: false, (isDownload ? _plan.Rules.Preferred : BlockSize.Smallest).Exponent);
        var request = new CoapRequest(isDownload ? _call.Request.Method : RequestCode.Get)
        {
            Transmission = _call.Request.Transmission,
            ResponseTimeout = _call.Request.ResponseTimeout,
        };
        OptionSet options = isDownload ? DownloadOptions() : [.. _options.Where(option => Array.IndexOf(PathNumbers, option.Number) >= 0)];
        _options = isDownload ? options : _options;
        _probe = new ClientExchange(_lane, Key, request, options.With(wish), isDownload ? _call.Request.Payload : default, this);
        _probe.Begin(_channel);
    }

    // A peer that answers in blocks of RFC 7959 goes on with them.
    private void OnRefused(CoapMessage response)
    {
        if (!_plan.FitsWhole || response.Code == ResponseCode.BadOption)
        {
            FallBack();
            return;
        }
        End();
        _call.Receive(_transfers.Blocks, response);
    }
}
