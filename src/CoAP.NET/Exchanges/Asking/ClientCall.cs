using System.Diagnostics;
using CoAP.Blockwise;
using CoAP.Datagrams;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Robust;

namespace CoAP.Exchanges;

/// <summary>One call of a user: the caller who waits, and the exchanges that bring the response.</summary>
/// <remarks>
/// Made by the caller's thread, handed to the lane through its inbox, from then on the lane's alone; only <see cref="Cancel"/> and
/// <see cref="FailByCaller"/> come from elsewhere. A small request with a small response is one exchange; all else is a <see cref="BlockTransfer"/>.
/// </remarks>
internal sealed partial class ClientCall : LaneWork, IExchangeOwner
{
    /// <summary>Stands for the response that nobody wanted.</summary>
    private static readonly CoapResponse Unwanted = new(ResponseCode.Valid);

    private static readonly ulong Block2Bit = OptionNumber.SeenBit(Block2.Declaration.Number);

    private readonly Func<LaneContext, ChannelKey, LaneChannel> _open;
    private readonly Activity? _activity;
    private CancellationTokenRegistration _cancellation;
    private MessageLimits? _limits;
    private bool _isPlain;
    private bool _fitsWhole;
    private IBodyWay? _way;
    private ClientExchange? _exchange;
    private long? _startedAt;

    /// <param name="lane">Where it is driven.</param>
    /// <param name="key">The peer, and the local address that its requests leave from.</param>
    /// <param name="request">What is asked for.</param>
    /// <param name="options">All options of the request, those of the URI included.</param>
    /// <param name="parked">Whether the caller blocks a thread.</param>
    /// <param name="open">Finds or makes the channel, on the lane.</param>
    public ClientCall(
        LaneContext lane, in ChannelKey key, CoapRequest request, OptionSet options, bool parked, Func<LaneContext, ChannelKey, LaneChannel> open)
    {
        (Lane, Key, Request, Options, _open) = (lane, key, request, options, open);
        Caller = new PendingResponse(parked);
        if (request.Body is not null || request.ResponseBody is not null || request.Progress is not null) { Work = new CallerWork(this, request.Progress); }
        _activity = CoapTracing.IsWanted ? CoapTracing.StartClient(request, key.Peer) : null;
    }

    public LaneContext Lane { get; }

    public ChannelKey Key { get; }

    public PeerIdentity Peer => Key.Peer;

    public CoapRequest Request { get; }

    /// <summary>All options of the request, those of the URI included.</summary>
    public OptionSet Options { get; }

    public PendingResponse Caller { get; }

    /// <summary>Whether no response is wanted (RFC 7967).</summary>
    public bool IsForgotten { get; init; }

    /// <summary>What the caller does meanwhile, where it has anything to do.</summary>
    public CallerWork? Work { get; }

    public bool IsDone => Caller.IsDone;

    private BlockTransfer? Transfer => _way as BlockTransfer;

    /// <summary>The first response where it is there already: only the rest of its body is fetched (RFC 7959, section 2.6).</summary>
    public CoapMessage? First { get; init; }

    /// <summary>Is told the response or the failure, on the lane.</summary>
    public Action<CoapResponse?, Exception?>? Ended { get; init; }

    /// <summary>Finds out how the request is sent, where the peer's limits are known. By the caller's thread.</summary>
    /// <exception cref="ArgumentException">It cannot be sent.</exception>
    public void PlanFor(in MessageLimits limits)
    {
        var plan = TransferPlan.Of(Request, Options, limits, Lane.Settings.Transfers);
        (_limits, _isPlain, _fitsWhole) = (limits, plan.IsPlain, plan.FitsWhole);
    }

    public override void Run()
    {
        if (Caller.IsDone) { return; }
        if (_limits is null && !TryPlan()) { return; }
        if (RobustCall.IsFor(this, _isPlain, _fitsWhole) && _open(Lane, Key) is DatagramChannel channel)
        {
            _startedAt = Lane.Now;
            var robust = new RobustCall(this, channel, TransferPlan.Of(Request, Options, _limits!.Value, Lane.Settings.Transfers));
            _way = robust;
            channel.Robust.Enter(robust);
        }
        else { RunInBlocks(); }
    }

    /// <summary>Sends the request as it is, or its body in the blocks of RFC 7959.</summary>
    public void RunInBlocks()
    {
        _way = null;
        if (First is null && !NeedsTransfer())
        {
            Send(Options, Request.Payload);
            return;
        }
        if (IsForgotten)
        {
            Fail(new ArgumentException("A body that goes in blocks needs the responses to them; send the request and wait (RFC 7959, section 2.9.1)."));
            return;
        }
        try
        {
            var transfer = NewTransfer();
            _way = transfer;
            if (First is { } first) { transfer.OnResponse(first); }
            else { transfer.Start(); }
        }
        catch (InvalidOperationException exception)
        {
            Fail(exception);
        }
    }

    public override void Abandon() => Fail(new CoapTransportException("The endpoint has ended."));

    /// <summary>Blocks the calling thread until the outcome is there.</summary>
    public CoapResponse Park()
    {
        Work?.Serve();
        return Caller.Park();
    }

    /// <summary>Waits for the outcome without holding a thread.</summary>
    public async ValueTask<CoapResponse> WaitAsync()
    {
        if (Work is { } work) { await work.ServeAsync().ConfigureAwait(false); }
        return await Caller.Task.ConfigureAwait(false);
    }

    /// <summary>Ends the wait when the token fires, and has the lane clean up.</summary>
    public void CancelOn(CancellationToken cancellationToken)
    {
        if (!cancellationToken.CanBeCanceled) { return; }
        _cancellation = cancellationToken.UnsafeRegister(static (call, token) => ((ClientCall)call!).Cancel(token), this);
        if (Caller.IsDone) { _cancellation.Dispose(); }
    }

    /// <summary>Sends the next message of the call.</summary>
    public void Send(OptionSet options, ReadOnlyMemory<byte> payload)
    {
        _exchange = new ClientExchange(Lane, Key, Request, options, payload, this) { IsForgotten = IsForgotten, IsFollowUp = _startedAt is not null };
        _startedAt ??= Lane.Now;
        _exchange.Begin(_open(Lane, Key));
    }

    public void OnResponse(ClientExchange exchange, CoapMessage response)
    {
        if (!Caller.IsDone) { OnResponseInBlocks(response); }
    }

    /// <summary>A response to the request as it is, or to a block of RFC 7959.</summary>
    public void OnResponseInBlocks(CoapMessage response)
    {
        if (_way is RobustCall) { _way = null; }
        if (Transfer is null && !_isPlain && RobustRules.IsMeant(response.Options))
        {
            Fail(new CoapTransferException($"{Peer} answered with a block of RFC 9177, which nobody has asked for."));
            return;
        }
        if (Transfer is null && (IsForgotten || !NeedsTransfer(response)))
        {
            Complete(response.Code, response.Options, response.Payload);
            return;
        }
        _way ??= NewTransfer();
        Transfer!.OnResponse(response);
    }

    public void OnForgotten(ClientExchange exchange)
    {
        EndTransfer();
        _activity?.Dispose();
        if (Caller.TryComplete(Unwanted)) { Work?.End(isSuccess: true); }
    }

    /// <summary>What became of a request that no response was wanted to.</summary>
    /// <param name="outcome">What the caller got.</param>
    /// <param name="acknowledges">Whether the peer acknowledges such requests.</param>
    public static Delivery ToDelivery(CoapResponse outcome, bool acknowledges)
    {
        var response = ReferenceEquals(outcome, Unwanted) ? null : outcome;
        return new Delivery(response is not null || acknowledges, response);
    }

    public void OnFailure(ClientExchange exchange, Exception error)
    {
        if (Transfer is { } transfer && !Caller.IsDone) { transfer.OnFailure(error); }
        else { Fail(error); }
    }

    // The peer of a connection says in its first message what it takes; what fits anyway need not wait for it.
    private bool TryPlan()
    {
        var channel = _open(Lane, Key);
        if (channel.Limits is not { } limits)
        {
            channel.AwaitLimits(this);
            return false;
        }
        try
        {
            PlanFor(limits);
            return true;
        }
        catch (ArgumentException exception)
        {
            Fail(exception);
            return false;
        }
    }

    // The plan is made anew where it is needed, so that the many small calls need not carry it.
    private BlockTransfer NewTransfer() => new(this, TransferPlan.Of(Request, Options, _limits!.Value, Lane.Settings.Transfers));

    private bool NeedsTransfer()
    {
        if (_isPlain) { return false; }
        return !_fitsWhole || Work is not null || Request.PreferredBlockSize is not null || Request.ResumeFrom is not null
            || Lane.Settings.Transfers.NegotiatesEarly;
    }

    private bool NeedsTransfer(CoapMessage response)
    {
        if ((response.Options.Seen & Block2Bit) == 0 && response.Code != ResponseCode.RequestEntityTooLarge) { return false; }
        return !_isPlain;
    }
}
