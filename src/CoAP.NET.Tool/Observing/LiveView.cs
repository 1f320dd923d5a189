using System.Globalization;
using CoAP.Tool.Printing;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace CoAP.Tool.Observing;

/// <summary>The observed states as a table that is drawn anew with each notification: numbers with a spark line, other payloads as a list.</summary>
internal static class LiveView
{
    public static IRenderable Render(string uri, CoapObservation observation, ObservedStates states)
    {
        IRenderable table = states.Series.Count > 0 ? NumbersOf(states) : ListOf(states);
        return new Rows(new Text($"{Printable.Of(uri)}"), table, StatusOf(observation, states));
    }

    private static Table NumbersOf(ObservedStates states)
    {
        var table = new Table().RoundedBorder();
        table.AddColumn("name").AddColumn(new TableColumn("now").RightAligned()).AddColumn("unit");
        table.AddColumn(new TableColumn("min").RightAligned()).AddColumn(new TableColumn("max").RightAligned()).AddColumn("history");
        foreach (var series in states.Series)
        {
            table.AddRow(
                new Text(Printable.Of(series.Name)),
                new Text(Format(series.Last), new Style(Color.Teal)),
                new Text(Printable.Of(series.Unit ?? "")),
                new Text(Format(series.Least)),
                new Text(Format(series.Most)),
                new Text(SparkLine.Of(series.Values), new Style(Color.Green)));
        }
        return table;
    }

    private static Table ListOf(ObservedStates states)
    {
        var table = new Table().RoundedBorder().AddColumns("time", "code", "state");
        foreach (var state in states.Last)
        {
            table.AddRow(
                new Text(state.At.ToString("HH:mm:ss.fff", CultureInfo.InvariantCulture)),
                new Text(CodeName.Describe(state.Code), new Style(state.Code.IsSuccess ? Color.Green : Color.Red)),
                new Text(state.Text));
        }
        return table;
    }

    private static Text StatusOf(CoapObservation observation, ObservedStates states)
    {
        var last = states.Last.Count > 0 ? $", last at {states.Last.Last().At.ToString("HH:mm:ss", CultureInfo.InvariantCulture)}" : "";
        var error = observation.LastError is { } failure && observation.State != ObservationState.Active ? $": {Printable.Of(failure.Message)}" : "";
        return new Text($"{observation.State}{error}, {states.Count} {(states.Count == 1 ? "notification" : "notifications")}, {states.Skipped} skipped{last}. Ctrl+C ends.", new Style(Color.Grey));
    }

    private static string Format(double value) => value.ToString("G10", CultureInfo.InvariantCulture);
}
