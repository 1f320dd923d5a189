using System.Diagnostics.CodeAnalysis;
using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>A representation of a resource, and its observers on a lane. All of them share one response of the handler.</summary>
/// <remarks>
/// A change calls the handler. Changes during that call are merged into one further call. The response gets a number, and all observers share its
/// options and payload. <see cref="NotificationTurns"/> limits the calls and notifications per turn.
/// </remarks>
internal sealed class ObservedRepresentation : IAnswerTaker, IMovableDeadline
{
    // After so many refused calls of the handler in a row, observers with unverified addresses are asked to verify them.
    private const int MostRefusals = 4;
    private const int AccountsToCompare = 16;

    /// <summary>The time after which a refused call of the handler is tried again.</summary>
    public static readonly long RetryAfter = TimeSpan.FromSeconds(1).Ticks;

    private readonly ObservingLane _observing;
    private readonly RankedObservers _observers = new();
    private readonly RepresentationCharge _charge;      // for Current
    private bool _isAsking;
    private Observation? _asked;    // the observer whose authorizers decide about the next call of the handler
    private bool _asksAgain;
    private int _refusals;      // the calls of the handler that were refused in a row
    private bool _isForAge;     // whether the handler is called although nothing has changed
    private RefreshSchedule _schedule = new();
    private int _placeInResource;
    private int _placeAtPath;

    public ObservedRepresentation(ObservingLane observing, ObservedResource resource, RepresentationKey key, IncomingRequest request)
    {
        (_observing, Resource, Key, Path, Order) = (observing, resource, key, request.Path, observing.Numbers.NewOrder(key));
        _charge = new RepresentationCharge(observing.Lane.Ledger, observing.Lane.Random, _observers);
    }

    public ObservedResource Resource { get; }

    public RepresentationKey Key { get; }

    public string Path { get; }

    /// <summary>The place in the list of all representations of the resource. Only the list uses it.</summary>
    public ref int PlaceInResource => ref _placeInResource;

    /// <summary>The place in the list of the representations at the path. Only the list uses it.</summary>
    public ref int PlaceAtPath => ref _placeAtPath;

    /// <summary>The account of an observer that had room for the last call of the handler.</summary>
    public Account Account { get; private set; }

    public bool? IsConfirmable => Resource.Observers.IsConfirmable;
    public int Count => _observers.Count;

    /// <summary>The response that observers get; <see langword="null"/> before the first change.</summary>
    public CoapResponse? Current { get; private set; }

    /// <summary>The number of <see cref="Current"/>.</summary>
    public long Number { get; private set; }

    /// <summary>The numbers of notifications, registrations and probes.</summary>
    public NotificationOrder Order { get; }

    /// <summary>Whether the observations end because no account of an observer has room.</summary>
    public bool HasNoRoom => ReferenceEquals(Current, Response.Overloaded);

    /// <summary>Whether <see cref="Current"/> is an error, which ends the observations.</summary>
    public bool IsEnding { get; private set; }

    /// <summary>Whether it is in the queue of the <see cref="NotificationTurns"/>.</summary>
    public bool IsQueued { get; set; }

    /// <summary>Whether a change asks for a call of the handler.</summary>
    public bool IsDue { get; set; }

    public long Deadline { get; set; } = long.MaxValue;
    public int QueueIndex { get; set; }

    /// <summary>Adds an observer.</summary>
    /// <param name="observation">The observation.</param>
    /// <param name="first">The response to its request; <see langword="null"/> if the observation was restored.</param>
    public void Add(Observation observation, CoapResponse? first)
    {
        if (first is not null) { observation.SetFormat(first); }
        observation.Representation = this;
        _observers.Add(observation);
        if (first is not null && Deadline == long.MaxValue) { WatchAge(first); }
    }

    public void Remove(Observation observation)
    {
        _observers.Remove(observation);
        if (_asked == observation)
        {
            _asked = null;
            Resource.RefreshLater(this);
        }
        if (Count == 0)
        {
            _charge.TryKeep(0);
            _observing.Lane.Unschedule(this);
        }
        // An observer that registers again leaves first. The others must not lose the response because of that.
        else if (observation == _charge.Payer) { Resource.Turns.Add(this); }
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
        (Account, _isForAge) = (_charge.FindCaller(), _schedule.TakeAged());
        if (_isForAge && !Resource.TryCallForAge(this)) { return; }
        _isAsking = true;
        _observing.Ask(Request, this);
    }

    public void Take(CoapResponse response, bool isPutOff)
    {
        _isAsking = false;
        response = Resource.WithoutStream(response, Path);
        if (IsEnding || Count == 0) { return; }
        _refusals = isPutOff ? _refusals + 1 : 0;
        if (isPutOff && (_refusals < MostRefusals || !_charge.FindCaller().IsUnverified))
        {
            _observing.Lane.WakeAt(this, _observing.Lane.Now + RetryAfter);
            return;
        }
        Publish(isPutOff ? Response.Overloaded : response, _isForAge);
        if (!_asksAgain) { return; }
        _asksAgain = false;
        Refresh();
    }

    /// <summary>Assigns the next number to a response and adds the Observe option. Errors get neither (RFC 7641, section 4.2).</summary>
    public bool TryStamp(CoapResponse response, [NotNullWhen(true)] out CoapResponse? stamped, out long number, out long retryAt)
    {
        retryAt = 0;
        stamped = !response.IsSuccess || Order.TryNext(_observing.Lane.Now, out retryAt) ? Stamp(response, Order.Last) : null;
        number = Order.Last;
        return stamped is not null;
    }

    /// <summary>Adds the Observe option to the response to a registration.</summary>
    /// <param name="response">The response.</param>
    /// <param name="replaced">The observation that the registration replaces.</param>
    public CoapResponse StampRegistration(CoapResponse response, Observation? replaced)
    {
        Order.Register(_observing.Lane.Now, replaced?.Representation == this ? replaced.SentNumber : long.MinValue);
        return Stamp(response, Order.Last);
    }

    /// <summary>Notifies all observers of a response.</summary>
    /// <param name="response">The response.</param>
    /// <param name="isForAge">Whether nothing has changed. Then the notifications are spread.</param>
    public void Publish(CoapResponse response, bool isForAge = false)
    {
        if (IsEnding) { return; }
        response = Request.Acceptable(response);
        if (!TryStamp(response, out var stamped, out var number, out var retryAt))
        {
            _observing.Lane.WakeAt(this, retryAt);
            return;
        }
        if (response.Payload.Length != _charge.Size && !_charge.TryKeep(response.Payload.Length)) { response = stamped = Response.Overloaded; }
        (Current, Number) = (stamped, number);
        if (!response.IsSuccess)
        {
            IsEnding = true;
            Resource.Detach(this);
        }
        else { WatchAge(response); }
        _schedule.Begin(_observing.Lane.Now, AgeOf(response), isForAge && response.IsSuccess);
        _observers.VisitAll();
        Resource.Turns.Add(this);
    }

    /// <summary>Returns the account of one of the observers. Some are compared, so that a peer with much work does not delay those that share the representation.</summary>
    public Account AccountFor(Func<Account, int> workOf)
    {
        if (Count == 0) { return default; }
        var (best, parts) = (_observers[0].Account, Math.Min(AccountsToCompare, _observers.FirstCount));
        for (var part = 1; part < parts && workOf(best) > 0; part++)
        {
            var other = _observers[(int)((long)part * _observers.FirstCount / parts)].Account;
            if (workOf(other) < workOf(best)) { best = other; }
        }
        return best;
    }

    /// <summary>Calls the handler if a change asks for it, and notifies observers within the budget. Returns <see langword="true"/> when nothing is left.</summary>
    public bool Work(ref int budget, ref int looks)
    {
        if (_charge.Payer is Observation { IsEnded: true }) { PassCharge(); }
        if (IsDue)
        {
            IsDue = false;
            budget--;
            Refresh();
        }
        return NotifyObservers(ref budget, ref looks);
    }

    /// <summary>Called when the resource has changed. The handler is called in one of the next turns.</summary>
    public void OnChanged()
    {
        _schedule.OnChanged();
        Resource.RefreshLater(this);
    }

    public void OnDeadline()
    {
        Deadline = long.MaxValue;
        _schedule.OnDeadline(_observing.Lane.Now);
        if (_observing.Lane.Now < _schedule.At && _schedule.IsSpreading && _observers.HasUnvisited)
        {
            _observing.Lane.WakeAt(this, _schedule.At);
            Resource.Turns.Add(this);
        }
        else { Resource.RefreshLater(this); }
    }

    // Adds the Observe option to a success. Errors get none (RFC 7641, section 4.2).
    private static CoapResponse Stamp(CoapResponse response, long number)
    {
        if (!response.IsSuccess && !response.Options.Contains<Observe>()) { return response; }
        var options = response.Options.Without(Observe.Declaration.Number);
        if (response.IsSuccess) { options = options.With(new Observe(NotificationOrder.OnWire(number))); }
        return new CoapResponse(response.Code, options, response.Payload);
    }

    // Never one that has left.
    private Observation First => (Observation)_observers[0];

    private IncomingRequest Request => First.Request;

    // The handler runs for a peer's own representation only while the peer may observe it. For a shared representation, each notification is authorized later.
    private bool MayCall()
    {
        if (Key.Owner == default) { return true; }
        while (Count > 0)
        {
            var observation = First;
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

    private bool NotifyObservers(ref int budget, ref int looks)
    {
        while (budget > 0 && looks > 0 && _observers.HasUnvisited)
        {
            if (!_schedule.TryVisit(_observing.Lane.Now, Count, out var retryAt))
            {
                _observing.Lane.WakeAt(this, Math.Min(retryAt, _schedule.At));
                return true;
            }
            if (!_observers.TryVisit(out var visited)) { break; }
            var observation = (Observation)visited;
            looks--;
            if (!IsEnding && observation.IsCurrent) { continue; }
            budget--;
            observation.Offer();
        }
        if (_observers.HasUnvisited) { return false; }
        if (_schedule.IsSpreading) { _observing.Lane.WakeAt(this, _schedule.At); }
        _schedule.End();
        return true;
    }

    // The observer that was charged has left. If no other observer has room, the response is not kept, and the observations end.
    private void PassCharge()
    {
        var size = _charge.Size;
        _charge.TryKeep(0);
        if (Count == 0 || _charge.TryKeep(size)) { return; }
        if (IsEnding) { Current = Response.Overloaded; }
        else { Publish(Response.Overloaded); }
    }

    private static long AgeOf(CoapResponse response) => TimeSpan.FromSeconds(MaxAge.Of(response.Options)).Ticks;

    // The notification must arrive before the client's representation expires.
    private void WatchAge(CoapResponse response)
    {
        var (age, least) = (AgeOf(response), _observing.Settings.MinRefreshedAge?.Ticks);
        var isKept = Resource.Observers.KeepsFresh ?? (age >= least);
        _schedule.Plan(_observing.Lane.Now, isKept ? age : null, _observing.Lane.Random);
        _observing.Lane.WakeAt(this, _schedule.At);
    }
}
