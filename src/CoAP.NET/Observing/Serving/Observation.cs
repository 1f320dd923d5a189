using CoAP.Exchanges;
using CoAP.Resources;

namespace CoAP.Observing;

/// <summary>An entry in the list of observers: a client, its token and the representation that it observes (RFC 7641, section 4.1).</summary>
internal abstract class Observation(ObservingLane observing, ObserverPeer peer, IncomingRequest request) : RankedObserver, IRegistration
{
    private const int NoRepresentation = -2;
    private const int NoFormat = -1;

    private RenewedAuthorization? _authorization;       // created when the authorizers are asked again
    private Action? _calls;             // the handler calls that continue after the authorizers' decision
    private bool _isHeld;               // whether a notification waits for the authorizers
    private CoapResponse? _ending;      // ends this observation, but not the others of its representation
    private int _format = NoRepresentation;     // the Content-Format of what the client has got; no nullable, because there may be a million of these

    public ObservingLane Observing => observing;

    public ExchangeLane Lane => observing.Lane;

    public ObserverPeer Peer => peer;

    /// <summary>The request of the registration.</summary>
    public IncomingRequest Request { get; } = request.WithoutLastBlock();

    public override Account CurrentAccount => Account.IsUnverified ? Request.Account : Account;

    public Token Token => Request.Message.Token;

    public int LastMessageSize => ObserverAllowance.LastMessageOf(Token);

    /// <summary>The representation that the client observes.</summary>
    public ObservedRepresentation Representation { get; set; } = null!;

    /// <summary>The number of the representation that was sent last.</summary>
    public long SentNumber { get; protected set; }

    public virtual bool IsConfirmable => false;

    public virtual void WhenAcknowledged(Action next) => throw new NotSupportedException("Nothing is acknowledged on a connection.");

    /// <summary>Whether it is in the queue of its peer.</summary>
    public bool IsWaiting { get; set; }

    public bool IsEnded { get; private set; }

    /// <summary>Whether the newest representation has been sent to the client.</summary>
    public virtual bool IsCurrent => Ending is null && SentNumber >= Representation.Number;

    /// <summary>The error that ends the observation and has not been sent yet; <see langword="null"/> if there is none.</summary>
    protected CoapResponse? Ending => _ending ?? (Representation.IsEnding ? Representation.Current : null);

    /// <summary>Sends the newest representation, at once or as soon as the client may get one. Older ones are skipped.</summary>
    public abstract void Offer();

    public abstract void Send(CoapResponse response);

    /// <summary>Sends the notification that has waited for the authorizers.</summary>
    protected virtual void Resume() => Offer();

    /// <summary>Ends the observation with an error, at once or as soon as the client may get it.</summary>
    public void EndWith(CoapResponse error)
    {
        _ending = error;
        Offer();
    }

    /// <summary>Remembers the format of the first representation. Notifications must have the same (RFC 7641, section 4.2).</summary>
    public void SetFormat(CoapResponse response)
    {
        if (_format == NoRepresentation && response.Code == ResponseCode.Content) { _format = FormatOf(response); }
    }

    /// <summary>The Content-Format of what the client has got, see <see cref="StoredObserver.ContentFormat"/>.</summary>
    public int? Format
    {
        get => _format == NoRepresentation ? null : _format;
        protected set => _format = value is >= NoFormat and <= ushort.MaxValue and var known ? known : NoRepresentation;
    }

    /// <summary>Called when the response to the registration is sent.</summary>
    /// <param name="number">The number of the representation in the response.</param>
    /// <param name="size">The size of the response in bytes.</param>
    public virtual void Registered(long number, int size) => SentNumber = number;

    /// <summary>Removes the observation from the store after its end.</summary>
    public virtual void Forget() { }

    /// <summary>
    /// Returns whether the handler may be called for this observation now. If not, the authorizers decide, and a denial ends the observation. The
    /// decision also covers the notification that results from the call.
    /// </summary>
    /// <param name="resume">Called if the authorizers allow the call later.</param>
    public bool MayCall(Action resume)
    {
        if (IsAuthorized(isCall: true)) { return true; }
        _calls += resume;
        return false;
    }

    public void Revoke() => peer.End(this);

    /// <summary>Ends the observation. Nothing more is sent.</summary>
    public virtual void End()
    {
        IsEnded = true;
        _authorization?.End();
    }

    /// <summary>Sends a response through the stages that every answer passes. The last one calls <see cref="Send"/>.</summary>
    /// <remarks>A notification whose authorization has expired is not sent. It is offered again if the authorizers allow it.</remarks>
    protected void Emit(CoapResponse response)
    {
        SetFormat(response);
        if (response.Code == ResponseCode.Content && FormatOf(response) != _format) { response = Response.NotAcceptable; }
        if (!response.IsSuccess || IsAuthorized(isCall: false)) { Pass(response); }
        else { _isHeld = true; }
    }

    private bool IsAuthorized(bool isCall) =>
        !observing.Authorization.Governs(Request.Resource) || (_authorization ??= new(Lane, observing.Authorization, Request, OnDecided)).TryPass(isCall);

    private void OnDecided(CoapResponse? denial)
    {
        if (IsEnded) { return; }
        if (denial is not null)
        {
            EndWith(denial);
            return;
        }
        var (calls, isHeld) = (_calls, _isHeld);
        (_calls, _isHeld) = (null, false);
        calls?.Invoke();
        if (isHeld && !IsEnded) { Resume(); }
    }

    private static int FormatOf(CoapResponse response) => response.ContentFormat is { } format ? (int)format : NoFormat;

    private void Pass(CoapResponse response)
    {
        try { observing.Answers.Emit(new Answer(Request, response, isAcknowledged: true) { Sender = this }); }
        catch when (!response.IsSuccess)
        {
            // The client does not get the error. The observation ends nevertheless.
            Revoke();
            throw;
        }
    }

    public CoapMessage Compose(CoapResponse response, MessageType type, MessageId messageId) =>
        new(type, response.Code, messageId, Token, response.Options, response.Payload);
}
