using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;
using CoAP.Vocabulary;

namespace CoAP.Observing;

/// <summary>A representation of a resource, and its observers on a lane. All of them share one response of the handler.</summary>
/// <remarks>
/// A change calls the handler. Changes during that call are merged into one further call. The response gets a number, and all observers share its
/// options and payload. <see cref="NotificationTurns"/> limits how many observers are notified per turn.
/// </remarks>
internal sealed class ObservedRepresentation(ObserverRegistry registry, ObservedResource resource, RepresentationKey key, IncomingRequest request)
    : IAnswerTaker, IMovableDeadline
{
    private static readonly long RetryAfter = TimeSpan.FromSeconds(1).Ticks;
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);
    private static readonly CoapResponse StreamFailure = new(ResponseCode.InternalServerError);

    private readonly List<Observation> _observers = [];
    private uint? _format;
    private bool _hasFormat;
    private bool _isAsking;
    private Observation? _asked;    // the observer whose authorizers decide about the next call of the handler
    private bool _asksAgain;
    private int _cursor;
    private int _left;      // the number of observers that the cursor has not visited yet
    private Observation? _payer;    // its account is charged for Current
    private long _charged;          // the bytes of Current

    public ObservedResource Resource => resource;

    public RepresentationKey Key => key;

    public string Path { get; } = request.Path;

    /// <summary>The account of an observer that had room for the last call of the handler.</summary>
    public Account Account { get; private set; }

    public bool? IsConfirmable => resource.Observers.IsConfirmable;

    public int Count => _observers.Count;

    /// <summary>The response that observers get; <see langword="null"/> before the first change.</summary>
    public CoapResponse? Current { get; private set; }

    /// <summary>The number of <see cref="Current"/>.</summary>
    public long Number { get; private set; }

    /// <summary>Whether <see cref="Current"/> is an error, which ends the observations.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Whether it is in the queue of the <see cref="NotificationTurns"/>.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether it waits for a call of the handler.</summary>
    public bool IsDue { get; set; }

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Adds an observer.</summary>
    /// <param name="observation">The observation.</param>
    /// <param name="first">The response to its request; <see langword="null"/> if the observation was restored.</param>
    public void Add(Observation observation, CoapResponse? first)
    {
        if (!_hasFormat && first is not null && first.Code == ResponseCode.Content) { (_format, _hasFormat) = (first.ContentFormat, true); }
        observation.Representation = this;
        observation.Index = _observers.Count;
        _observers.Add(observation);
        if (first is not null && Deadline == long.MaxValue) { WatchAge(first); }
    }

    public void Remove(Observation observation)
    {
        var (index, last) = (observation.Index, _observers[^1]);
        _observers[index] = last;
        last.Index = index;
        _observers.RemoveAt(_observers.Count - 1);
        // The last observer has moved to a place that the cursor may have passed. The cursor visits all again and skips those that are current.
        if (_left > 0) { _left = _observers.Count; }
        if (index == _cursor - 1) { _cursor--; }
        if (_asked == observation)
        {
            _asked = null;
            resource.RefreshLater(this);
        }
        if (observation == _payer) { PassCharge(); }
        if (_observers.Count == 0) { registry.Lane.Unschedule(this); }
    }

    /// <summary>Calls the handler after a change of the resource, or once more after the call that is running.</summary>
    public void Refresh()
    {
        if (IsEnding || Count == 0 || _asked is not null) { return; }
        if (_isAsking)
        {
            _asksAgain = true;
            return;
        }
        if (!MayCall()) { return; }
        _isAsking = true;
        Account = (Find(CanCall) ?? _observers[0]).Account;
        registry.Ask(Request, this);
    }

    public void Take(CoapResponse response)
    {
        _isAsking = false;
        if (response.Source is not null)
        {
            if (registry.Lane.Log.TryPass(LogEvent.StreamForObservers, resource.Resource.Template, out var held))
            {
                Log.StreamForObservers(registry.Lane.Logger, Path, held);
            }
            response.CloseSource();
            response = StreamFailure;
        }
        if (IsEnding || Count == 0) { return; }
        if (ReferenceEquals(response, Response.Overloaded))
        {
            registry.Lane.WakeAt(this, registry.Lane.Now + RetryAfter);
            return;
        }
        Publish(response);
        if (!_asksAgain) { return; }
        _asksAgain = false;
        Refresh();
    }

    /// <summary>Notifies all observers of a response.</summary>
    public void Publish(CoapResponse response)
    {
        if (IsEnding) { return; }
        response = ReplyStage.Acceptable(Request, response);
        if (response.Code == ResponseCode.Content)
        {
            if (_hasFormat && response.ContentFormat != _format) { response = NotAcceptable; }
            else { (_format, _hasFormat) = (response.ContentFormat, true); }
        }
        if (!registry.TryStamp(response, out var stamped, out var number, out var retryAt))
        {
            registry.Lane.WakeAt(this, retryAt);
            return;
        }
        if (!TryKeep(response.Payload.Length)) { response = stamped = Response.Overloaded; }
        (Current, Number) = (stamped, number);
        if (!response.IsSuccess)
        {
            IsEnding = true;
            resource.Detach(this);
        }
        else { WatchAge(response); }
        _left = _observers.Count;
        registry.Scheduler.Add(this);
    }

    /// <summary>Notifies observers within the budget. Returns <see langword="true"/> when all observers have been visited.</summary>
    /// <param name="budget">The most observers to notify; reduced by each notified one.</param>
    /// <param name="looks">The most observers to visit; reduced by each visited one.</param>
    public bool NotifyObservers(ref int budget, ref int looks)
    {
        while (_left > 0 && budget > 0 && looks > 0)
        {
            if (_cursor >= _observers.Count) { _cursor = 0; }
            var observation = _observers[_cursor++];
            _left--;
            looks--;
            if (!IsEnding && observation.IsCurrent) { continue; }
            budget--;
            observation.Offer();
        }
        return _left == 0;
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        resource.RefreshLater(this);
    }

    // The request of a current observer, because the observer that registered first may have left.
    private IncomingRequest Request => _observers[0].Request;

    // The handler runs for a peer's own representation only while the peer may observe it. For a shared representation, each notification is authorized later.
    private bool MayCall()
    {
        if (key.Owner == default) { return true; }
        while (Count > 0)
        {
            var observation = _observers[0];
            if (observation.MayCall(Continue)) { return true; }
            if (observation.IsEnded) { continue; }
            _asked = observation;
            return false;
        }
        return false;
    }

    private void Continue()
    {
        _asked = null;
        Refresh();
    }

    // Slow observers decide how long the response is kept, so the account of one of them must have room for it. Any observer with room will do, because one
    // full account must not end the observations of others.
    private bool TryKeep(long size)
    {
        if (size == _charged) { return true; }
        if (_payer is { } payer) { registry.Lane.Ledger.Bodies.Release(payer.Account, _charged); }
        _payer = size == 0 ? null : Find(CanPay, size);
        _charged = _payer is null ? 0 : size;
        return _charged == size;
    }

    // The observer that was charged has left. If no other observer has room, the response is not kept, and the observations end.
    private void PassCharge()
    {
        var size = _charged;
        TryKeep(0);
        if (Count == 0 || TryKeep(size)) { return; }
        if (IsEnding) { Current = Response.Overloaded; }
        else { Publish(Response.Overloaded); }
    }

    private static bool CanPay(Ledger ledger, Account account, long size) => ledger.Bodies.TryCharge(account, size) == Charge.Accepted;

    // Whether a handler would run at once. Otherwise it would wait for the handlers of the account, or for its peers to read.
    private static bool CanCall(Ledger ledger, Account account, long amount) =>
        ledger.Requests.HasRoom(account) && ledger.HandlerQueue.HasRoom(account) && ledger.HandlerThreads.HasRoom(account) && ledger.UnsentBytes.HasRoom(account);

    // Returns an observer whose account has room, preferably the one that is charged already. Observers of one account are mostly adjacent.
    private Observation? Find(Func<Ledger, Account, long, bool> hasRoom, long amount = 1)
    {
        var first = _payer?.Index ?? 0;
        Account? refused = null;
        for (var i = 0; i < Count; i++)
        {
            var observation = _observers[(first + i) % Count];
            if (observation.Account == refused) { continue; }
            if (hasRoom(registry.Lane.Ledger, observation.Account, amount)) { return observation; }
            refused = observation.Account;
        }
        return null;
    }

    // The notification must arrive before the client's representation expires.
    private void WatchAge(CoapResponse response)
    {
        if (!resource.Observers.KeepsFresh) { return; }
        var age = TimeSpan.FromSeconds(MaxAge.Of(response.Options)).Ticks;
        registry.Lane.WakeAt(this, registry.Lane.Now + Math.Max(RetryAfter, age - (age / 8)));
    }
}
