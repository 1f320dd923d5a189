using System.Runtime.InteropServices;
using CoAP.Accounting;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Resources;

/// <summary>Collects the requests of a turn, and hands them over to the handler threads when the turn ends.</summary>
/// <remarks>
/// A thread runs quick handlers one after another. If one of them blocks, no thread would run the others or wake the lane for finished
/// answers. So the lane checks at intervals until it has all answers.
/// </remarks>
internal sealed class HandOver : IMovableDeadline
{
    private const int MostWaiting = 64;

    private static readonly TimeSpan FirstLook = TimeSpan.FromMilliseconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(64);

    private readonly ExchangeLane _lane;
    private readonly HandlerPipeline _pipeline;
    private readonly List<HandlerItem<UnansweredRequest>> _items = new(MostWaiting);
    private readonly List<(UnansweredRequest Exchange, Charge Charge)> _refused = [];
    private readonly Action _onAnswered;
    private TimeSpan _pause;
    private int _quick;     // the quick requests without an answer

    public HandOver(ExchangeLane lane, HandlerPipeline pipeline)
    {
        (_lane, _pipeline, _onAnswered) = (lane, pipeline, OnAnswered);
        lane.AfterEachTurn(End);
    }

    public long Deadline { get; set; } = long.MaxValue;

    public int QueueIndex { get; set; }

    /// <summary>Charges the account of a request, and keeps the request until the end of the turn.</summary>
    public Charge TryAdd(UnansweredRequest exchange, bool isQuick)
    {
        var outcome = _pipeline.TryCharge(exchange);
        if (outcome != Charge.Accepted) { return outcome; }
        _items.Add(new(exchange, exchange.Account, exchange.Request.IsReliable, isQuick));
        if (isQuick)
        {
            exchange.WhenBack = _onAnswered;
            _quick++;
        }
        if (_items.Count == MostWaiting) { End(); }
        return outcome;
    }

    /// <summary>Answers a request that no thread takes.</summary>
    public void Refuse(UnansweredRequest exchange, Charge charge)
    {
        exchange.Request.IsHandled = false;
        exchange.Answer(_lane.Refuse(exchange.Request, charge));
    }

    /// <summary>Wakes threads for the requests behind a quick handler that blocks.</summary>
    public void OnDeadline()
    {
        _pipeline.Spread(isLast: false);
        _pause = _pause * 2 < LongestPause ? _pause * 2 : LongestPause;
        Look();
    }

    public void OnLaneEnded() => _pipeline.Spread(isLast: true);

    private void End()
    {
        if (_items.Count == 0) { return; }
        _pipeline.Queue(CollectionsMarshal.AsSpan(_items), _refused);
        _items.Clear();
        foreach (var (exchange, charge) in _refused) { Refuse(exchange, charge); }
        _refused.Clear();
        // Further requests must not postpone the look for those before them.
        if (_quick > 0 && _lane.After(FirstLook) < Deadline)
        {
            _pause = FirstLook;
            Look();
        }
    }

    private void Look() => _lane.WakeAt(this, _quick > 0 ? _lane.After(_pause) : long.MaxValue);

    private void OnAnswered()
    {
        if (--_quick == 0) { Look(); }
    }
}
