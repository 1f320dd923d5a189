using CoAP.Tool.Printing;

namespace CoAP.Tool.Observing;

/// <summary>What has been observed so far, as much of it as the live view shows.</summary>
internal sealed class ObservedStates(TimeProvider time)
{
    private const int MaxStates = 10;
    private const int MaxSeries = 20;
    private const int LongestText = 200;

    private readonly Dictionary<string, Series> _series = new(StringComparer.Ordinal);
    private readonly Queue<ObservedState> _states = new();

    /// <summary>The number of notifications.</summary>
    public long Count { get; private set; }

    /// <summary>The number of states that the reader missed.</summary>
    public long Skipped { get; private set; }

    /// <summary>The last states, oldest first.</summary>
    public IReadOnlyCollection<ObservedState> Last => _states;

    /// <summary>The numbers in the order in which their names were first seen.</summary>
    public IReadOnlyList<Series> Series { get; private set; } = [];

    public void Add(Notification notification)
    {
        var response = notification.Response;
        Count++;
        Skipped = notification.Skipped;
        if (_states.Count == MaxStates) { _states.Dequeue(); }
        _states.Enqueue(new(time.GetLocalNow(), response.Code, TextOf(response)));
        if (!response.IsSuccess) { return; }
        foreach (var number in PayloadNumbers.Find(response.ContentFormat, response.Payload)) { SeriesOf(number)?.Add(number.Value); }
    }

    private Series? SeriesOf(NamedNumber number)
    {
        if (_series.TryGetValue(number.Name, out var series)) { return series; }
        if (_series.Count == MaxSeries) { return null; }
        series = new Series(number.Name, number.Unit);
        _series.Add(number.Name, series);
        Series = [.. Series, series];
        return series;
    }

    private static string TextOf(CoapResponse response)
    {
        var text = response.Problem?.ToString()
            ?? (PayloadPrinter.IsCbor(response.ContentFormat) ? null : PayloadPrinter.TryDecode(response.Payload.Span))
            ?? Convert.ToHexStringLower(response.Payload.Span[..Math.Min(response.Payload.Length, LongestText)]);
        return Printable.Of(text.Length <= LongestText ? text : text[..LongestText] + "…");
    }
}
