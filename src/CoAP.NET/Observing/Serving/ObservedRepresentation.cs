using CoAP.Exchanges;
using CoAP.Lanes;
using CoAP.Options;

namespace CoAP.Observing;

/// <summary>One representation of a resource on a lane, and who observes it. It is made once for all of them.</summary>
/// <remarks>
/// A change has the handler asked again; while it is, further changes become one more question. What it answers is numbered and written once;
/// the observers share its options and payload, and are sent it a few in a turn (see <see cref="NotificationScheduler"/>).
/// </remarks>
internal sealed class ObservedRepresentation(ObserverRegistry registry, ObservedResource resource, RepresentationKey key, IncomingRequest request)
    : IAnswerTaker, ILaneDeadline
{
    private static readonly long RetryAfter = TimeSpan.FromSeconds(1).Ticks;
    private const uint DefaultMaxAge = 60;
    private static readonly CoapResponse NotAcceptable = new(ResponseCode.NotAcceptable);

    private readonly List<Observation> _observers = [];
    private uint? _format;
    private bool _hasFormat;
    private bool _isAsking;
    private bool _asksAgain;
    private int _cursor;
    private int _left;      // observers that the cursor has yet to look at

    public ObservedResource Resource => resource;

    public RepresentationKey Key => key;

    public string Path { get; } = request.Path;

    public bool? IsConfirmable => resource.Observers.IsConfirmable;

    public int Count => _observers.Count;

    /// <summary>What observers are told; absent before the first change.</summary>
    public CoapResponse? Current { get; private set; }

    /// <summary>The number of what they are told.</summary>
    public long Number { get; private set; }

    /// <summary>Whether it is an error, after which there is nothing more to observe.</summary>
    public bool IsEnding { get; private set; }

    public bool IsQueued { get; set; }

    /// <summary>Whether it waits for the handler to be asked.</summary>
    public bool IsDue { get; set; }

    public long Deadline { get; private set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <param name="observation">Observes this from now on.</param>
    /// <param name="first">What it is told; nothing yet where it was taken up from an earlier run.</param>
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
        // Somebody has moved to a place that the cursor may have passed: it looks at all of them again, and passes over those that have it.
        if (_left > 0) { _left = _observers.Count; }
        if (index == _cursor - 1) { _cursor--; }
        if (_observers.Count == 0) { registry.Lane.Unschedule(this); }
    }

    /// <summary>The resource has changed.</summary>
    public void Changed()
    {
        if (IsEnding || Count == 0) { return; }
        if (_isAsking)
        {
            _asksAgain = true;
            return;
        }
        _isAsking = true;
        registry.Ask(request, this);
    }

    public void Take(CoapResponse response)
    {
        _isAsking = false;
        if (IsEnding || Count == 0) { return; }
        if (ReferenceEquals(response, Response.Overloaded))
        {
            WakeAt(registry.Lane.Now + RetryAfter);
            return;
        }
        Publish(response);
        if (!_asksAgain) { return; }
        _asksAgain = false;
        Changed();
    }

    /// <summary>Has all observers told.</summary>
    public void Publish(CoapResponse response)
    {
        if (IsEnding) { return; }
        response = ReplyStage.Acceptable(request, response);
        if (response.Code == ResponseCode.Content)
        {
            if (_hasFormat && response.ContentFormat != _format) { response = NotAcceptable; }
            else { (_format, _hasFormat) = (response.ContentFormat, true); }
        }
        if (!registry.TryStamp(response, out var stamped, out var number, out var retryAt))
        {
            WakeAt(retryAt);
            return;
        }
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

    /// <summary>Begins to tell observers, as far as the budget goes; whether all of them have been looked at.</summary>
    /// <param name="budget">How many may be told.</param>
    /// <param name="looks">How many may be looked at.</param>
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

    // Soon enough for the notification to arrive before what the client has expires.
    private void WatchAge(CoapResponse response)
    {
        if (!resource.Observers.KeepsFresh) { return; }
        var age = TimeSpan.FromSeconds(response.Options.Get<MaxAge>()?.Value ?? DefaultMaxAge).Ticks;
        WakeAt(registry.Lane.Now + Math.Max(RetryAfter, age - (age / 8)));
    }

    private void WakeAt(long time)
    {
        Deadline = time;
        registry.Lane.Schedule(this);
    }
}
