using CoAP.Blockwise;
using CoAP.Exchanges;
using CoAP.Lanes;

namespace CoAP.Robust;

/// <summary>The body of a request with Q-Block1. It is remembered for a while after it is complete (RFC 9177, section 4.3).</summary>
internal sealed class RobustRequestBody(ExchangeLane lane, RobustBodyStore robust, in BodyKey body, IncomingRequest request)
    : RobustBody(lane, robust, body, request.Key)
{
    private long _forgetAt = long.MaxValue;

    /// <summary>The blocks that have arrived; <see langword="null"/> once the body is complete.</summary>
    public RobustUploadServer? Collection { get; private set; } = new(
        robust.Settings, robust.Bodies.Budget.LargestBody(body), robust.Transmission.ProbingRate, lane.Now);

    /// <summary>Whether one of the blocks had If-None-Match. Only the first block may have it (RFC 7959, section 2.10).</summary>
    public bool IsForNew { get; set; } = body.IsForNew;

    /// <summary>The answer of the handler.</summary>
    public CoapResponse? Response { get; private set; }

    /// <summary>The memory of the body in bytes, with its key and what is remembered after it is complete.</summary>
    public long Size => (Collection?.Held ?? Robust.Bodies.Limits.Overhead) + Body.Operation.Length
        + (Response is { } response ? response.Payload.Length + response.Options.Wire.Length : 0);

    /// <summary>The position among the finished bodies.</summary>
    public LinkedListNode<RobustRequestBody>? Place { get; set; }

    /// <summary>The position among the finished bodies of its account.</summary>
    public LinkedListNode<RobustRequestBody>? PlaceOfOwner { get; set; }

    /// <summary>Asks for missing blocks and schedules the next action.</summary>
    public void Advance()
    {
        while (Collection is { } collection && collection.TryNext(Lane.Now, out var part)) { TrySend(part); }
        if (Collection is { HasTimedOut: true }) { Drop(); }
        else { Lane.WakeAt(this, Math.Min(Collection?.Deadline ?? long.MaxValue, _forgetAt)); }
    }

    public override void OnDeadline()
    {
        if (Lane.Now >= _forgetAt) { Drop(); }
        else { Advance(); }
    }

    /// <summary>Returns the complete body, which belongs to the handler from now on.</summary>
    public byte[] Finish()
    {
        var whole = Collection!.Take();
        Collection = null;
        _forgetAt = Lane.After(Robust.Settings.NonPartialTimeout);
        StopSending();
        Lane.WakeAt(this, _forgetAt);
        return whole;
    }

    /// <summary>Remembers the handler's answer for repeated blocks; <see langword="null"/> if there is no room for it.</summary>
    /// <remarks>Large answers are not remembered here.</remarks>
    public void OnAnswered(CoapResponse? response)
    {
        Response = response;
        _forgetAt = Lane.After(Robust.Settings.NonPartialTimeout);
        Lane.WakeAt(this, _forgetAt);
    }

    protected override void Drop() => Robust.Remove(this);
}
