using System.Diagnostics.Metrics;
using System.Reflection;
using System.Runtime.CompilerServices;
using CoAP.Lanes;

namespace CoAP.Tests.Architecture.Limits;

/// <summary>Generates the tables of limits and checks that no limit is missing.</summary>
public sealed class LimitsTableTests
{
    private static readonly Type[] Numbers = [typeof(int), typeof(long), typeof(double), typeof(TimeSpan)];

    private static readonly string[] Endings = ["Timeout", "Capacity", "Size", "Threads", "Connections", "Lifetime", "Window"];

    [Fact]
    public void The_tables_of_the_page_are_generated() => Approved.Check(LimitsTable.Page, [.. LimitsTable.Render(SourceTree.Lines(LimitsTable.Page))]);

    [Fact]
    public void The_page_has_one_place_for_each_section()
    {
        var page = SourceTree.Lines(LimitsTable.Page);

        page.Where(line => line.StartsWith("<!-- limits:", StringComparison.Ordinal))
            .Should().BeEquivalentTo(LimitsTable.Sections.Keys.Select(LimitsTable.MarkerOf));
        page.Count(line => line == "<!-- /limits -->").Should().Be(LimitsTable.Sections.Count);
    }

    [Fact]
    public void Each_property_that_looks_like_a_limit_has_a_row_or_a_reason_for_having_none()
    {
        var known = LimitsTable.All.Select(limit => NameOf(limit.Member)).Concat(NonLimits.All.Select(other => NameOf(other.Member))).ToList();

        Settings().SelectMany(Properties).Where(LooksLikeALimit).Select(NameOf).Except(known).Should().BeEmpty();
    }

    [Fact]
    public void No_property_has_two_rows_or_both_a_row_and_a_reason_for_having_none() =>
        LimitsTable.All.Select(limit => NameOf(limit.Member)).Concat(NonLimits.All.Select(other => NameOf(other.Member))).Should().OnlyHaveUniqueItems();

    [Fact]
    public void Each_reason_for_having_no_row_is_needed() =>
        NonLimits.All.Where(other => !LooksLikeALimit(other.Member) || other.Reason.Length == 0).Should().BeEmpty();

    [Fact]
    public void Each_special_text_describes_the_default() =>
        LimitsTable.All.Where(limit => limit.Special is { } special && !Equals(special.Value, limit.Default)).Select(limit => limit.Name).Should().BeEmpty();

    [Fact]
    public void Each_metric_of_a_row_is_an_instrument() =>
        LimitsTable.All.Select(limit => limit.Metric).OfType<string>().Except(Instruments()).Should().BeEmpty();

    [Fact]
    public void Each_book_of_the_ledger_has_a_row_with_its_limit()
    {
        var settings = new CoapServerSettings { Dtls = new DtlsServerSettings() };
        using var ledger = settings.CreateLedger(settings.CreateLog());
        var shared = LimitsTable.All.SelectMany(limit => limit.Parts).ToLookup(part => part.Resource, part => part.Part);

        shared.Select(group => group.Key).Should().BeEquivalentTo(ledger.Books.Select(one => one.Resource));
        ledger.Books.Where(one => !shared[one.Resource].Contains(one.Book.Limit)).Select(one => one.Resource).Should().BeEmpty();
    }

    private static IEnumerable<Type> Settings() => new[] { typeof(CoapMessage).Assembly, typeof(CoapServer).Assembly, typeof(DtlsSettings).Assembly }
        .SelectMany(assembly => assembly.GetExportedTypes())
        .Where(type => type.Name.EndsWith("Settings", StringComparison.Ordinal) || type.Name.EndsWith("Parameters", StringComparison.Ordinal));

    private static IEnumerable<PropertyInfo> Properties(Type settings) =>
        settings.GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(property => property.SetMethod is { IsPublic: true });

    private static bool LooksLikeALimit(PropertyInfo property)
    {
        var name = property.Name;
        return Numbers.Contains(Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType)
            && (name.StartsWith("Max", StringComparison.Ordinal)
                || (name.StartsWith("Min", StringComparison.Ordinal) && name.EndsWith("Rate", StringComparison.Ordinal))
                || Endings.Any(ending => name.EndsWith(ending, StringComparison.Ordinal)));
    }

    private static string NameOf(PropertyInfo property) => $"{property.DeclaringType!.Name}.{property.Name}";

    private static List<string> Instruments()
    {
        RuntimeHelpers.RunClassConstructor(typeof(CoapMeter).TypeHandle);
        var names = new List<string>();
        using var listener = new MeterListener
        {
            InstrumentPublished = (instrument, _) => { if (instrument.Meter.Name == CoapTelemetry.MeterName) { names.Add(instrument.Name); } },
        };
        listener.Start();
        return names;
    }
}
