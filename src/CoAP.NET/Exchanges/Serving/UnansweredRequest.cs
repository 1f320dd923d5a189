using CoAP.Lanes;

namespace CoAP.Exchanges;

/// <summary>
/// A request whose handler has not answered yet. Sends the empty acknowledgement if the handler takes too long, and posts the answer to the lane.
/// </summary>
internal sealed class UnansweredRequest : TurnWork, ILaneDeadline
{
    private const int LeastCharged = 4096;

    // As if the handler had been canceled. Rarely sent: a peer that has reset the request may repeat it.
    private static readonly CoapResponse NotCalled = Response.Unavailable(TimeSpan.FromSeconds(1));

    private readonly ExchangeLane _lane;
    private readonly HeldRequest _held;
    private readonly Output<Answer> _answers;   // lent by the stage, because the handler answers after the stage has returned
    private readonly RequestFailures _failures;
    private CoapResponse? _response;
    private Action? _continuation;
    private readonly long _acknowledgeAt = long.MaxValue;
    private long _challengeAt = long.MaxValue;
    private int _built;     // the bytes of the response, charged until the connection has them
    private int _hasBegun;
    private bool _isSkipped;
    private bool _isChallenged;
    private bool _isDone;

    /// <param name="lane">The lane of the request.</param>
    /// <param name="request">The request.</param>
    /// <param name="answers">The output for late answers.</param>
    /// <param name="failures">Ends the request if its late answer makes a stage fail.</param>
    public UnansweredRequest(ExchangeLane lane, IncomingRequest request, Output<Answer> answers, RequestFailures failures)
    {
        (_lane, _answers, _failures, _held) = (lane, answers, failures, new HeldRequest(lane, request));
        request.Unanswered = this;
        if (!request.NeedsAcknowledgement) { return; }
        Deadline = _acknowledgeAt = lane.After(lane.Settings.AcknowledgeAfter);
        lane.Schedule(this);
    }

    public IncomingRequest Request => _held.Request;

    /// <summary>The response, if only its tag is missing.</summary>
    public CoapResponse? Untagged { get; set; }

    /// <summary>Whether the lane has yet to get a response whose tag another thread computes.</summary>
    public bool AwaitsTag => Untagged is not null && !_isDone;

    /// <summary>Queues the request for a handler thread again; <see langword="null"/> if none has had it.</summary>
    public Action<UnansweredRequest>? Requeue { get; set; }

    /// <summary>Called on the lane when the answer has arrived; <see langword="null"/> if nothing waits for it.</summary>
    public Action? WhenBack { get; set; }

    /// <summary>Sets what a handler thread runs next for the request, instead of its handler.</summary>
    public Action Continuation { set => Volatile.Write(ref _continuation, value); }

    /// <summary>Whether a handler answers the request. Otherwise, the request is a block of a body.</summary>
    public bool IsOfHandler { get; init; }

    /// <summary>The account that is charged until the request is answered. It does not change if the peer proves its address meanwhile.</summary>
    public Account Account => _held.Account;

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    // An answer is work for its peer, as its request was. The answers of many handlers must not delay other peers.
    protected override LaneChannel? TurnOf => Request.RepliesToPeer ? Request.Connection : null;

    protected override int CopiedBytes => _response!.Payload.Length;

    /// <summary>
    /// Limits the time that the request waits for a handler thread, if its address may be forged. All unverified addresses wait in one queue, so that a slow
    /// handler and few forged requests would keep the others waiting. A request that waits alone is not limited. Called on the lane, before
    /// the request is queued.
    /// </summary>
    public void LimitWait()
    {
        if (!Account.IsUnverified || Request.Taker is not null) { return; }
        _challengeAt = _lane.After(_lane.Ledger.MaxUnverifiedDelay);
        Deadline = Math.Min(Deadline, _challengeAt);
        _lane.Schedule(this);
    }

    /// <summary>
    /// Returns <see langword="true"/> only to the first caller: the thread that calls the handler, or the deadline that answers instead.
    /// Any thread.
    /// </summary>
    public bool TryBegin() => Interlocked.Exchange(ref _hasBegun, 1) == 0;

    /// <summary>
    /// Sends the empty acknowledgement, once (RFC 7252, section 5.2.2), or a challenge if no thread has taken the request in time. Called on the lane, perhaps
    /// before it is due.
    /// </summary>
    public void OnDeadline()
    {
        if (_isDone) { return; }
        _lane.Unschedule(this);
        var isChallengeDue = _lane.Now >= _challengeAt;
        if (isChallengeDue && TryChallenge()) { return; }
        if (!isChallengeDue || _lane.Now >= _acknowledgeAt) { EmptyMessages.Acknowledge(Request, _lane.LateMessages); }
        Deadline = Math.Min(Request.NeedsAcknowledgement ? _acknowledgeAt : long.MaxValue, _challengeAt);
        if (Deadline < long.MaxValue) { _lane.Schedule(this); }
    }

    /// <summary>Continues on a handler thread, if the handler began on one. What waits in between holds no thread.</summary>
    public HandlerThreadAwaiter ToHandlerThread() => new(this, Requeue);

    /// <summary>
    /// Runs what comes next for the request, if it waits for a handler thread. Returns <see langword="true"/> only to the first
    /// caller. Any thread.
    /// </summary>
    public bool TryContinue()
    {
        var continuation = Interlocked.Exchange(ref _continuation, null);
        continuation?.Invoke();
        return continuation is not null;
    }

    /// <summary>Posts the answer of the handler to the lane. Called once, from any thread.</summary>
    /// <remarks>The charge ends only now, even if the connection ended earlier. Otherwise a peer could start any number of handlers.</remarks>
    public void Answer(CoapResponse response)
    {
        RepresentationTags.Prepare(Request, Account, response);
        _held.Release();
        _response = response;
        ChargeBuilt();
        // Only a lane that waits for answers looks for them by itself.
        if (WhenBack is not null) { _lane.PostAnswer(this); }
        else { _lane.Post(this); }
    }

    /// <summary>Answers a request whose handler is not called, because nobody waits for it any more. Called instead of <see cref="Answer"/>.</summary>
    public void Skip()
    {
        (Request.IsHandled, _isSkipped) = (false, true);
        if (Request.Taker is not null) { Request.IsPutOff = true; }     // an error would end its observations
        Answer(NotCalled);
    }

    protected override void RunInTurn()
    {
        _isDone = true;
        WhenBack?.Invoke();
        ReleaseBuilt();
        _lane.Unschedule(this);
        _held.Close();
        if (_isSkipped) { _lane.Metrics[LaneCounters.SkippedRequests]++; }
        else if (IsOfHandler && !_isChallenged) { Request.RecordAnswer(_response!); }
        try { _answers.Emit(new Answer(Request, _response!, isAcknowledged: false)); }
        catch (Exception exception) // A request whose late answer makes a stage fail ends here.
        {
            _response!.CloseSource();
            _failures.Fail(Request, exception);
        }
    }

    // The only request of all unverified addresses waits for no forged one: its thread is starting, or peers that are verified hold all
    // threads. An account of its own would not be served sooner.
    private bool TryChallenge()
    {
        var isAlone = Volatile.Read(ref _hasBegun) == 0 && _lane.Ledger.HandlerQueue.HeldBy(Account) <= 1;
        _challengeAt = isAlone ? _lane.After(_lane.Ledger.MaxUnverifiedDelay) : long.MaxValue;
        if (isAlone || !TryBegin()) { return false; }
        _lane.Ledger.HandlerQueue.CountRefusal();
        (Request.IsHandled, _isChallenged) = (false, true);
        Answer(_lane.Addresses!.Challenge(Request.Peer));
        return true;
    }

    // The lane has ended, and so have all its requests. May be called from any thread.
    public override void Abandon()
    {
        ReleaseBuilt();
        _response?.CloseSource();
    }

    // On connections, peers decide how long responses wait. Small ones are charged only once they are unsent.
    private void ChargeBuilt()
    {
        if (!_lane.IsReliable || _response!.Payload.Length < LeastCharged) { return; }
        _built = _response.Payload.Length;
        _lane.Ledger.UnsentBytes.Take(Account, _built);
    }

    private void ReleaseBuilt()
    {
        if (_built > 0) { _lane.Ledger.UnsentBytes.Release(Account, _built); }
    }
}
