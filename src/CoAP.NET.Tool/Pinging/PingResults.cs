using System.Globalization;

namespace CoAP.Tool.Pinging;

/// <summary>The round trips of a run.</summary>
internal sealed class PingResults
{
    private double _sum;
    private double _least = double.PositiveInfinity;
    private double _most;

    public int Sent { get; private set; }

    public int Answered { get; private set; }

    public void AddSent() => Sent++;

    public void AddAnswer(TimeSpan roundTrip)
    {
        var milliseconds = roundTrip.TotalMilliseconds;
        Answered++;
        _sum += milliseconds;
        (_least, _most) = (Math.Min(_least, milliseconds), Math.Max(_most, milliseconds));
    }

    public override string ToString()
    {
        var invariant = CultureInfo.InvariantCulture;
        var lost = Sent == 0 ? 0 : 100.0 * (Sent - Answered) / Sent;
        var counts = string.Create(invariant, $"{Sent} sent, {Answered} answered, {lost:0.#} % lost");
        return Answered == 0 ? counts : string.Create(invariant, $"{counts}; round trip min {_least:0.00}, mean {_sum / Answered:0.00}, max {_most:0.00} ms");
    }
}
