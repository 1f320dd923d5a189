using System.Diagnostics.Metrics;
using System.Text.Json;
using System.Text.RegularExpressions;

namespace CoAP.Tests.Architecture;

/// <summary>The page of instruments and the dashboard agree with the library.</summary>
public sealed partial class InstrumentTableTests
{
    private const string Dashboard = "docs/grafana/coap-dashboard.json";

    [Fact]
    public void The_page_is_generated() => Approved.Check(InstrumentTable.Page, [.. InstrumentTable.Render()]);

    [Fact]
    public void Each_instrument_has_a_unit_and_a_meaning_that_is_a_sentence()
    {
        InstrumentTable.All().Should().NotBeEmpty();
        InstrumentTable.All().Where(one => string.IsNullOrEmpty(one.Unit)).Select(one => one.Name).Should().BeEmpty();
        InstrumentTable.All().Where(one => one.Description?.EndsWith('.') != true).Select(one => one.Name).Should().BeEmpty();
    }

    // "Metric namespaces SHOULD NOT be pluralized", and attributes need a namespace (OpenTelemetry, naming).
    [Fact]
    public void Names_have_a_namespace_in_the_singular()
    {
        string[] plural = ["messages", "datagrams", "connections", "requests", "observations", "answers", "message_ids", "handshakes", "sessions", "lanes", "ledgers"];

        InstrumentTable.All().Where(one => one.Name.Split('.')[..^1].Intersect(plural).Any()).Select(one => one.Name).Should().BeEmpty();
        InstrumentTable.Attributes.SelectMany(one => one.Value).Where(name => !name.Contains('.', StringComparison.Ordinal)).Should().BeEmpty();
    }

    // The unit of a counter is what it counts, in the singular and in braces (OpenTelemetry, instrument units).
    [Theory]
    [InlineData("coap.request.failed", "{request}")]
    [InlineData("coap.observation.declined", "{request}")]
    [InlineData("coap.observation.active", "{observation}")]
    [InlineData("coap.dropped", "{item}")]
    [InlineData("coap.ledger.refused", "{charge}")]
    public void The_unit_of_a_counter_is_what_it_counts(string name, string unit) =>
        InstrumentTable.All().Where(one => one.Name == name).Should().ContainSingle().Which.Unit.Should().Be(unit);

    [Fact]
    public void The_attributes_of_the_page_are_those_that_are_reported()
    {
        var reported = new Dictionary<string, HashSet<string>>();
        using var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == CoapTelemetry.MeterName && instrument.IsObservable) { listener.EnableMeasurementEvents(instrument); }
            },
        };
        listener.SetMeasurementEventCallback<long>((one, _, tags, _) => Add(one, tags));
        listener.SetMeasurementEventCallback<double>((one, _, tags, _) => Add(one, tags));
        listener.Start();

        listener.RecordObservableInstruments();

        reported.Should().ContainKey("coap.dropped");
        reported.SelectMany(one => one.Value.Except(InstrumentTable.Attributes.GetValueOrDefault(one.Key, [])).Select(name => $"{one.Key}: {name}")).Should().BeEmpty();

        void Add(Instrument one, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            if (!reported.TryGetValue(one.Name, out var names)) { reported[one.Name] = names = []; }
            foreach (var (name, _) in tags) { names.Add(name); }
        }
    }

    [Fact]
    public void The_attributes_of_the_page_belong_to_instruments() =>
        InstrumentTable.Attributes.Keys.Except(InstrumentTable.All().Select(one => one.Name)).Should().BeEmpty();

    [Fact]
    public void Each_metric_of_the_dashboard_is_an_instrument()
    {
        var known = InstrumentTable.All().SelectMany(NamesOf).ToHashSet();
        var queries = Queries().ToList();

        queries.Should().NotBeEmpty();
        queries.SelectMany(query => MetricName().Matches(query).Select(match => match.Value)).Distinct()
            .Where(name => !known.Contains(name)).Should().BeEmpty();
    }

    [Fact]
    public void The_dashboard_lets_its_user_choose_the_data_source()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(SourceTree.Root, Dashboard)));

        dashboard.RootElement.GetProperty("templating").GetProperty("list").EnumerateArray()
            .Should().Contain(one => one.GetProperty("type").GetString() == "datasource" && one.GetProperty("query").GetString() == "prometheus");
        Panels(dashboard).Should().OnlyContain(panel => panel.GetProperty("datasource").GetProperty("uid").GetString() == "${datasource}");
        Panels(dashboard).Select(panel => panel.GetProperty("id").GetInt32()).Should().OnlyHaveUniqueItems();
    }

    private static IEnumerable<string> NamesOf(Instrument one)
    {
        var name = InstrumentTable.PrometheusName(one);
        return InstrumentTable.KindOf(one) == "histogram" ? [$"{name}_bucket", $"{name}_sum", $"{name}_count"] : [name];
    }

    private static List<string> Queries()
    {
        using var dashboard = JsonDocument.Parse(File.ReadAllText(Path.Combine(SourceTree.Root, Dashboard)));
        return [.. Panels(dashboard).SelectMany(panel => panel.GetProperty("targets").EnumerateArray().Select(target => target.GetProperty("expr").GetString()!))];
    }

    private static List<JsonElement> Panels(JsonDocument dashboard) => [.. dashboard.RootElement.GetProperty("panels").EnumerateArray()];

    // Labels begin with "coap_" as well, but stand in braces, or after "by" in parentheses.
    [GeneratedRegex(@"\bcoap_[a-z_]+(?=[\{\[])")]
    private static partial Regex MetricName();
}
