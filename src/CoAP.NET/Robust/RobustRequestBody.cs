using CoAP.Blockwise;
using CoAP.Exchanges;

namespace CoAP.Robust;

/// <summary>The body of a request that comes in Q-Block1, and what is remembered of it when it is there (RFC 9177, section 4.3).</summary>
internal sealed class RobustRequestBody(ExchangeLane lane, RobustBodyStore robust, in BodyKey body, IncomingRequest request) : RobustBody(lane, robust, body, request.Key)
{
    // 2.31 and 4.08 are for non-confirmable requests: others are acknowledged one by one (RFC 9177, sections 4.3 and 5).
    private readonly bool _isConfirmable = request.Message.Type == MessageType.Confirmable;
    private long _forgetAt = long.MaxValue;

    public RobustCollection? Collection { get; private set; } = new(
        robust.Settings, robust.Bodies.Settings.MaxBodySize, lane.Settings.Transmission.ProbingRate, lane.Now);

    /// <summary>Whether one of the blocks had If-None-Match; only the first one may (RFC 7959, section 2.10).</summary>
    public bool IsForNew { get; set; } = body.IsForNew;

    /// <summary>What the handler has answered.</summary>
    public CoapResponse? Response { get; private set; }

    /// <summary>Where it stands among those that are finished.</summary>
    public LinkedListNode<RobustRequestBody>? Place { get; set; }

    /// <summary>Asks for what has to be asked for, and sleeps until it has to be again.</summary>
    public void Advance()
    {
        while (Collection is { } collection && collection.TryNext(Lane.Now, out var part))
        {
            if (!_isConfirmable) { Send(part); }
        }
        if (Collection is { HasTimedOut: true }) { Drop(); }
        else { WakeAt(Math.Min(Collection?.Deadline ?? long.MaxValue, _forgetAt)); }
    }

    public override void OnDeadline()
    {
        if (Lane.Now >= _forgetAt) { Drop(); }
        else { Advance(); }
    }

    /// <summary>The body is there: it belongs to the handler now.</summary>
    public byte[] Finish()
    {
        var whole = Collection!.Take();
        Collection = null;
        _forgetAt = Lane.Now + Robust.Settings.NonPartialTimeout.Ticks;
        Rest();
        WakeAt(_forgetAt);
        return whole;
    }

    /// <summary>The handler has answered: blocks that come again get the same, but no large body is kept for that.</summary>
    public void Answered(CoapResponse response)
    {
        Response = response;
        _forgetAt = Lane.Now + Robust.Settings.NonPartialTimeout.Ticks;
        WakeAt(_forgetAt);
    }

    protected override void Drop() => Robust.Remove(this);
}
