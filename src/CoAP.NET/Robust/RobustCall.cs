using System.Net.Sockets;
using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Robust;

/// <summary>Transfers the bodies of one call in sets of non-confirmable blocks (RFC 9177). Used on the lane only.</summary>
/// <remarks>
/// <code>
/// Start ──NSTART──► Begin ──support unknown──► RobustProbe ──supported──► request ──last response──► response
///                     └──support known──────────────────────────────────────┘
/// 4.02, Reset or no response ──► RFC 7959
/// </code>
/// </remarks>
internal sealed class RobustCall : RobustMessageSender, IBodyTransfer, ILaneDeadline, ITokenOwner, ISessionFollower
{
    // The header, the token and the Q-Block option of a request in bytes.
    private const int RequestOverhead = 16;

    private readonly ClientCall _call;
    private readonly RobustTransfers _transfers;
    private readonly LaneChannel _channel;
    private readonly RobustQueue _queue;
    private readonly TransferPlan _plan;
    private readonly RobustProgress _progress;
    private ResponseShare _share;
    private OptionSet _options;
    private Echo? _requestedEcho;
    private RobustProbe? _probe;
    private RobustUploadClient? _upload;
    private RobustDownloadClient? _download;
    private long _startedAt;
    private long _activeAt;
    private bool _isQueued;
    private bool _hasBegun;
    private bool _isRunning;
    private bool _hasHeard;
    private int _restarts;

    public RobustCall(ClientCall call, RobustTransfers transfers)
        : base(call.Lane, call.Lane.Requests, call.Key)
    {
        (_call, _transfers, _options) = (call, transfers, call.Options);
        _share = new ResponseShare(transfers.Blocks.Responses);
        _channel = call.OpenChannel();
        _queue = RobustQueue.Of(_channel, transfers);
        _plan = transfers.Blocks.PlanOf(call);
        _progress = new RobustProgress(call, _plan.Size);
        Tokens = Lane.Exchanges.NewSeries(Lane.Tokens);
        _restarts = transfers.Blocks.Settings.MaxRestarts;
        Lane.SessionFollowers.Add(this);
    }

    public TokenSeries Tokens { get; private set; }

    public bool HasSentBlocks => true;

    /// <summary>Whether the transfer has ended. The call may continue with another transfer.</summary>
    public bool IsOver { get; private set; }

    private TransmissionParameters Transmission => _call.Request.Transmission ?? _transfers.Exchanges.Transmission;

    /// <summary>Waits for its turn among the robust transfers with the peer.</summary>
    public void Start()
    {
        _call.Started();
        _queue.Enter(this);
        _isQueued = !IsOver && !_hasBegun;
        if (_isQueued) { Lane.WakeAt(this, _call.EndsAt); }
    }

    void IBodyTransfer.OnResponse(CoapMessage response) => Take(response);

    void IBodyTransfer.OnFailure(Exception error) => Fail(error);

    /// <summary>Starts the transfer, or the probe if it is not known what the peer supports. Called by the queue.</summary>
    public void Begin()
    {
        (_hasBegun, _startedAt, _activeAt) = (true, Lane.Now, Lane.Now);
        if (_queue.IsSupported is not { } isSupported) { Probe(); }
        else if (isSupported) { Transfer(); }
        else { FallBack(); }
    }

    /// <summary>Ends the transfer and lets the next one begin.</summary>
    public void End()
    {
        if (IsOver) { return; }
        IsOver = true;
        Lane.SessionFollowers.Remove(this);
        _share.Clear();
        _probe?.Cancel();
        StopSending();
        Lane.Exchanges.Remove(Tokens);
        if (_hasBegun) { _queue.Leave(); }
        else if (_isQueued) { _queue.Desert(); }
    }

    /// <summary>Continues after the probe. For a download, the response holds the first block.</summary>
    public void OnSupported(CoapMessage response)
    {
        var (isOfBody, first) = (response.Options.Contains<ETag>() && response.Options.Contains<Size2>(), response.Options.Get<QBlock2>()!);
        // libcoap sends a block that was requested alone without ETag and Size2. Unless it is the whole body, it only shows the support.
        if (!_plan.FitsWhole || (first.HasMore && !isOfBody))
        {
            _hasHeard = true;
            Transfer();
            return;
        }
        _download = Download(_call.Request.Payload);
        _download.Begin();
        (_isRunning, _hasHeard, _activeAt) = (true, true, Lane.Now);
        _download.AskNow();
        OnDownloaded(response);
    }

    /// <summary>Continues without Q-Block after the probe. For a download, the response may hold the first block of RFC 7959.</summary>
    public void OnUnsupported(CoapMessage response)
    {
        if (!_plan.FitsWhole || response.Code == ResponseCode.BadOption || RobustRules.IsMixed(response.Options)) { FallBack(); }
        else
        {
            End();
            _call.Receive(_transfers.Blocks, response);
        }
    }

    /// <summary>Hands the call over to a transfer in blocks of RFC 7959.</summary>
    public void FallBack()
    {
        End();
        _call.RunWith(_transfers.Blocks);
    }

    public override void OnDeadline()
    {
        if (Lane.Now >= _call.EndsAt) { _call.Fail(_call.Expire(null)); }
        else if (!_isRunning) { Transfer(); }
        else { Advance(); }
    }

    public void Abandon() => _call.Abandon();

    void ILaneDeadline.OnLaneEnded() => Abandon();

    public override void OnReset()
    {
        if (_hasHeard) { Fail(new CoapResetException(Key.Peer.ToString())); }
        else
        {
            _queue.LearnNoSupport();
            FallBack();
        }
    }

    /// <summary>The server has the blocks of another endpoint, so the body begins again. A request that the server may have executed is not repeated.</summary>
    public void OnSessionBegun()
    {
        if (IsOver || !_isRunning || !_hasHeard) { return; }
        var mayRepeat = _call.Request.Method.IsIdempotent || (_download is null && _upload is { HasSentAll: false });
        if (mayRepeat && _restarts-- > 0) { Restart(); }
        else
        {
            Fail(new CoapTransferException(
                $"The session with {Key.Peer} was replaced during the transfer, and the request cannot be repeated: "
                + "it may have been executed, or MaxRestarts is used up."));
        }
    }

    public override void OnNetworkError(SocketError error) => Fail(new CoapTransportException(Key.Peer, new SocketException((int)error)));

    EchoMemory? ITokenOwner.Echoes => _channel;

    public bool TryRepeat(Echo echo)
    {
        if (_probe is not null && _probe.TryRepeat(echo)) { return true; }
        if (_requestedEcho is not null || !_channel.CanAdd(echo, _call.Options, _plan.Size.Bytes)) { return false; }
        (_requestedEcho, _hasHeard, _activeAt) = (echo, true, Lane.Now);
        Restart();
        return true;
    }

    /// <summary>Processes a response to one of the tokens.</summary>
    public void Complete(CoapMessage response, in ChannelKey from)
    {
        if (_probe is null || !_probe.TryTake(response)) { Take(response); }
    }

    private void Take(CoapMessage response)
    {
        (_hasHeard, _activeAt) = (true, Lane.Now);
        if (_download is null && !OnUploaded(response)) { return; }
        OnDownloaded(response);
    }

    public void Fail(Exception error)
    {
        if (_probe is not null && _probe.TryFail(error)) { return; }
        if (_hasHeard && error is not CoapTransferException and not CoapTimeoutException { EndsCall: true })
        {
            error = new CoapTransferException($"The transfer with {Key.Peer} failed: {error.Message}", error);
        }
        _call.Fail(error);
    }

    // The peer has processed nothing (RFC 9175, section 2.3). Late responses to the earlier messages have other tokens.
    private void Restart()
    {
        StopSending();
        Lane.Exchanges.Remove(Tokens);
        Tokens = Lane.Exchanges.NewSeries(Lane.Tokens);
        (_upload, _download, _options, _isRunning) = (null, null, _call.Options, false);
        _share.Clear();
        Transfer();
    }

    private void Probe()
    {
        Lane.Exchanges.Add(Tokens, this);
        _probe = new RobustProbe(this, _call, _queue);
        if (_plan.FitsWhole) { _probe.SendRequest(_channel, _options = DownloadOptions(), _plan.Rules.Preferred); }
        else { _probe.SendGet(_channel, _options); }
    }

    /// <summary>Starts to send the request as soon as PROBING_RATE allows it.</summary>
    private void Transfer()
    {
        if (_queue.StartAt > Lane.Now)
        {
            Lane.WakeAt(this, Math.Min(_queue.StartAt, _call.EndsAt));
            return;
        }
        _isRunning = true;
        _options = _channel.AddTo(Key, _requestedEcho, _options, _plan.Size.Bytes);
        _queue.Charge(RequestOverhead + _options.Wire.Length + _call.Request.Payload.Length, Transmission.ProbingRate);
        Lane.Exchanges.Add(Tokens, this);
        if (_plan.FitsWhole) { _download ??= Download(_call.Request.Payload); }
        else
        {
            var tag = _queue.NextTag();
            _upload = new RobustUploadClient(
                _call.Request.Method, _options, tag, _call.Request.Payload, _plan.Size, Tokens, _transfers.Settings, Lane.Now, Lane.Random.NextDouble());
            _options = _options.Without(RequestTag.Declaration.Number).With(new RequestTag(tag));
        }
        Advance();
    }

    private RobustDownloadClient Download(ReadOnlyMemory<byte> payload) => new(
        _call.Request.Method, DownloadOptions(), payload, _plan.Rules.Preferred, _plan.Rules.MaxLength, Transmission.ProbingRate, Tokens,
        _transfers.Settings, Lane.Now);

    // With NSTART above 1, two transfers at a time may be of the same resource. A Request-Tag tells them apart.
    private OptionSet DownloadOptions() =>
        _channel.NStart == 1 || _options.Contains<RequestTag>() ? _options : _options.With(new RequestTag(_queue.NextTag()));

    /// <summary>Processes a response to the request's body. Returns <see langword="true"/> if it is the final one.</summary>
    private bool OnUploaded(CoapMessage response)
    {
        var outcome = _upload!.OnResponse(response, Lane.Now);
        if (outcome.IsContinue)
        {
            _progress.Report(_upload, _download);
            Advance();
            return false;
        }
        if (outcome.Code == ResponseCode.BadOption)
        {
            _queue.Learn(response);
            FallBack();
            return false;
        }
        _download = Download(default);
        _download.Begin();
        return true;
    }

    private void OnDownloaded(CoapMessage response)
    {
        var outcome = _download!.OnResponse(response, Lane.Now);
        _progress.Report(_upload, _download);
        if (outcome.IsContinue && !_share.TrySet(_download.Held)) { Fail(new CoapTransferException(_transfers.Blocks.Responses.Describe(Key.Peer))); }
        else if (outcome.IsContinue) { Advance(); }
        else if (response.Code != ResponseCode.BadOption && response.Options.Contains<QBlock2>() && outcome.IsRejected)
        {
            Fail(new CoapTransferException(
                $"The response of {Key.Peer} cannot be assembled ({outcome.Code}): its blocks contradict each other or RFC 9177, section 4.4, "
                + $"or exceed {_plan.Rules.MaxLength} bytes."));
        }
        else if (outcome.Code == ResponseCode.BadOption && _upload is null)
        {
            _queue.Learn(response);
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

    /// <summary>Sends the messages that are due, and schedules the next ones.</summary>
    private void Advance()
    {
        while (!IsOver && TryNext(out var part))
        {
            if (TrySend(part)) { _activeAt = Lane.Now; }
        }
        if (IsOver) { return; }
        var quietUntil = _call.Request.ResponseTimeout is { } timeout ? _activeAt + timeout.Ticks : long.MaxValue;
        if (_upload is { HasTimedOut: true } || _download is { HasTimedOut: true } || quietUntil <= Lane.Now)
        {
            Fail(CallDeadline.NoAnswer(_call.Request, Key.Peer, new(_hasHeard ? AwaitedEvent.Body : AwaitedEvent.Response, 1, false), Lane.Now - _startedAt));
            return;
        }
        Lane.WakeAt(this, Math.Min(_call.EndsAt, Math.Min(quietUntil, _download?.Deadline ?? _upload!.Deadline)));
    }

    private bool TryNext(out RobustPart part) =>
        _download is not null ? _download.TryNext(Lane.Now, out part) : _upload!.TryNext(Lane.Now, out part);
}
