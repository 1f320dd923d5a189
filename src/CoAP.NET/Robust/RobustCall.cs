using System.Net.Sockets;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>The bodies of one call in sets of non-confirmable blocks (RFC 9177). The lane's alone.</summary>
/// <remarks>
/// <code>
/// Enter ──NSTART──► Begin ──support unknown──► Probing ──supported──► Upload ──last response──► Download ──► Complete
///                     └─────known──────────────────────────────────────┘      4.02, Reset, nothing ──► RFC 7959
/// </code>
/// </remarks>
internal sealed partial class RobustCall : IBodyWay, ILaneDeadline, ITokenOwner, IUnsettled, IExchangeOwner
{
    private readonly ClientCall _call;
    private readonly DatagramChannel _channel;
    private readonly LaneContext _lane;
    private readonly TransferPlan _plan;
    private readonly TokenSeries _tokens;
    private OptionSet _options;
    private ClientExchange? _probe;
    private RobustUpload? _upload;
    private RobustDownload? _download;
    private long _startedAt;
    private long _activeAt;
    private bool _hasBegun;
    private bool _isRunning;
    private bool _hasHeard;

    public RobustCall(ClientCall call, DatagramChannel channel, in TransferPlan plan)
    {
        (_call, _channel, _lane, _plan, _options) = (call, channel, call.Lane, plan, call.Options);
        _tokens = _lane.Exchanges.NewSeries(_lane.Tokens);
    }

    public ChannelKey Key => _call.Key;

    public LaneChannel? Channel => _channel;

    public Token Token { get; private set; }

    public MessageId MessageId { get; private set; }

    public TokenSeries Tokens => _tokens;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Whether it is not the call's any more.</summary>
    public bool IsOver { get; private set; }

    bool IExchangeOwner.IsDone => IsOver || _call.IsDone;

    private RobustTransferSettings Settings => _lane.Settings.RobustTransfers;

    private TransmissionParameters Transmission => _call.Request.Transmission ?? _lane.Settings.Transmission;

    /// <summary>Whether a call can go this way: what is in memory over datagrams, and is an upload, or can ask for its response again.</summary>
    public static bool IsFor(ClientCall call, bool isPlain, bool fitsWhole)
    {
        var request = call.Request;
        var mode = request.RobustMode ?? call.Lane.Settings.Transfers.RobustMode;
        if (mode == RobustMode.Off || isPlain || call.First is not null || request.Body is not null || request.ResponseBody is not null || request.ResumeFrom is not null) { return false; }
        return !fitsWhole || request.Method == RequestCode.Get || request.Method == RequestCode.Fetch;
    }

    /// <summary>It is its turn.</summary>
    public void Begin()
    {
        (_hasBegun, _startedAt, _activeAt) = (true, _lane.Now, _lane.Now);
        switch (_channel.Robust.IsSupported)
        {
            case true:
                Transfer();
                break;
            case false:
                FallBack();
                break;
            default:
                Probe();
                break;
        }
    }

    /// <summary>There is no room for it.</summary>
    public void Refuse(Exception error)
    {
        IsOver = true;
        _call.Fail(error);
    }

    /// <summary>The call has its outcome, or goes on without it.</summary>
    public void End()
    {
        if (IsOver) { return; }
        IsOver = true;
        _probe?.Cancel();
        _lane.Unschedule(this);
        _lane.Exchanges.Remove(_tokens);
        _lane.Exchanges.RemoveUnsettled(this);
        if (_hasBegun) { _channel.Robust.Leave(); }
    }

    public void OnDeadline()
    {
        if (!_isRunning) { Transfer(); }
        else { Advance(); }
    }

    public void Abandon() => _call.Abandon();

    public void OnAcknowledged()
    {
    }

    public void OnReset()
    {
        if (_hasHeard)
        {
            Fail(new CoapResetException(Key.Peer.ToString()));
            return;
        }
        _channel.Robust.LearnNothingCame();
        FallBack();
    }

    public void OnNetworkError(SocketError error)
    {
        var cause = new SocketException((int)error);
        Fail(new CoapTransportException($"The network did not deliver the request to {Key.Peer}: {cause.Message}.", cause));
    }

    /// <summary>A response to one of the tokens.</summary>
    public void Complete(CoapMessage response)
    {
        (_hasHeard, _activeAt) = (true, _lane.Now);
        if (_download is null && !OnUploaded(response)) { return; }
        OnDownloaded(response);
    }

    public void Fail(Exception error)
    {
        if (_hasHeard && error is not CoapTransferException)
        {
            error = new CoapTransferException($"The transfer with {Key.Peer} broke off: {error.Message}", error);
        }
        _call.Fail(error);
    }

    private void FallBack()
    {
        End();
        _call.RunInBlocks();
    }

    /// <summary>Begins the body, as soon as PROBING_RATE lets it.</summary>
    private void Transfer()
    {
        if (_channel.Robust.StartAt is var startAt && startAt > _lane.Now)
        {
            WakeAt(startAt);
            return;
        }
        _isRunning = true;
        _channel.Robust.Charge(_call.Request.Payload.Length, Transmission.ProbingRate);
        _lane.Exchanges.Add(this);
        if (_plan.FitsWhole) { _download ??= Download(_call.Request.Payload); }
        else
        {
            var tag = _channel.Robust.NextTag();
            _upload = new RobustUpload(
                _call.Request.Method, _options, tag, _call.Request.Payload, _plan.Size, _tokens, Settings, _lane.Now, _lane.Random.NextDouble());
            _options = _options.Without(RequestTag.Declaration.Number).With(new RequestTag(tag));
        }
        Advance();
    }

    private RobustDownload Download(ReadOnlyMemory<byte> payload) => new(
        _call.Request.Method, DownloadOptions(), payload, _plan.Rules.Preferred, _plan.Rules.MaxLength, Transmission.ProbingRate, _tokens, Settings, _lane.Now);

    // Where several transfers are under way, two of them may be of the same resource.
    private OptionSet DownloadOptions() => _channel.NStart == 1 || _options.Contains<RequestTag>() ? _options : _options.With(new RequestTag(_channel.Robust.NextTag()));

    /// <summary>Whether the body of the request is done with, and the response is the whole one.</summary>
    private bool OnUploaded(CoapMessage response)
    {
        var outcome = _upload!.OnResponse(response, _lane.Now);
        if (outcome.IsContinue)
        {
            Report();
            Advance();
            return false;
        }
        if (outcome.Code == ResponseCode.BadOption)
        {
            _channel.Robust.Learn(response);
            FallBack();
            return false;
        }
        _download = Download(default);
        _download.Begin();
        return true;
    }

    private void OnDownloaded(CoapMessage response)
    {
        var outcome = _download!.OnResponse(response, _lane.Now);
        Report();
        if (outcome.IsContinue)
        {
            Advance();
            return;
        }
        if (response.Options.Contains<QBlock2>() && outcome.IsRejected)
        {
            Fail(new CoapTransferException(
                $"The response of {Key.Peer} cannot be put together ({outcome.Code}): its blocks contradict each other or RFC 9177, section 4.4, or are longer than {_plan.Rules.MaxLength} bytes."));
        }
        else if (outcome.Code == ResponseCode.BadOption && _upload is null)
        {
            _channel.Robust.Learn(response);
            FallBack();
        }
        else { Finish(_download.First!, _download.Body); }
    }

    private void Finish(CoapMessage first, ReadOnlyMemory<byte> body)
    {
        End();
        var options = first.Options.Without(QBlock2.Declaration.Number).Without(Size2.Declaration.Number);
        _call.Complete(first.Code, options, first.Code.MayHavePayload ? body : default);
    }

    /// <summary>Sends what is due, and sleeps until there is more.</summary>
    private void Advance()
    {
        while (!IsOver && TryNext(out var part)) { Send(part); }
        if (IsOver) { return; }
        var quietUntil = _call.Request.ResponseTimeout is { } timeout ? _activeAt + timeout.Ticks : long.MaxValue;
        if (_upload is { HasTimedOut: true } || _download is { HasTimedOut: true } || quietUntil <= _lane.Now)
        {
            Fail(new CoapTimeoutException(Key.Peer.ToString(), 1, TimeSpan.FromTicks(_lane.Now - _startedAt), acknowledged: false));
            return;
        }
        WakeAt(Math.Min(quietUntil, _download?.Deadline ?? _upload!.Deadline));
    }

    private bool TryNext(out RobustPart part) =>
        _download is not null ? _download.TryNext(_lane.Now, out part) : _upload!.TryNext(_lane.Now, out part);

    private void Send(in RobustPart part)
    {
        // Without a message ID it is as if it had been lost.
        if (!_channel.TryNextMessageId(out var messageId)) { return; }
        _lane.Exchanges.RemoveUnsettled(this);
        (MessageId, Token, _activeAt) = (messageId, part.Token, _lane.Now);
        _lane.Exchanges.AddUnsettled(this);
        _lane.Send(new OutgoingMessage(Key, part.ToMessage(MessageType.NonConfirmable, messageId)));
        _channel.Settle(messageId);
    }

    private void Report()
    {
        var total = _call.Request.Payload.Length;
        var sent = _upload is null || _download is not null ? total : Math.Min((long)_upload.BlocksSent * _plan.Size.Bytes, total);
        _call.Work?.Report(new TransferProgress(sent, _download?.Received ?? 0, total, _download?.Total));
    }

    private void WakeAt(long time)
    {
        Deadline = time;
        _lane.Schedule(this);
    }
}
