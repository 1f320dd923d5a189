using System.Collections;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace CoAP.Hosting.Tests.Configuration;

/// <summary>Writes the tables of docs/configuration.md from the records of settings and their documentation.</summary>
internal static partial class SettingsPage
{
    private static readonly string[] Machine = ["HandlerThreads"];

    private static readonly Dictionary<string, XElement> Summaries = new[] { "CoAP.NET.xml", "CoAP.NET.Core.xml" }
        .SelectMany(file => XDocument.Load(Path.Combine(AppContext.BaseDirectory, file)).Descendants("member"))
        .GroupBy(member => (string)member.Attribute("name")!).ToDictionary(group => group.Key, group => group.First());

    /// <summary>Returns the table of all keys of an endpoint.</summary>
    public static IEnumerable<string> TableOf(Type endpoint) =>
        new[] { "| Key | Type | Default | Meaning |", "| --- | --- | --- | --- |" }.Concat(Rows(KnownSettings.Of(endpoint)!, ""));

    private static IEnumerable<string> Rows(SettingsType type, string prefix)
    {
        var defaults = type.Create();
        foreach (var property in type.Properties.Where(property => KnownSettings.IsBindable(property.PropertyType)).OrderBy(property => property.Name, StringComparer.Ordinal))
        {
            var key = prefix + property.Name;
            if (KnownSettings.Of(property.PropertyType) is { } nested)
            {
                foreach (var row in Rows(nested, $"{key}:")) { yield return row; }
            }
            else
            {
                var isRequired = type.RequiredKeys.Contains(property.Name);
                var value = isRequired ? "required" : Machine.Contains(property.Name) ? "by processors" : Shown(property.GetValue(defaults));
                yield return $"| `{key}` | {TypeOf(property.PropertyType)} | {value} | {SummaryOf(property)} |";
            }
        }
        foreach (var file in type.FileKeys) { yield return $"| `{prefix}{file}` | path | none | A PEM file. |"; }
    }

    private static string TypeOf(Type type) => Nullable.GetUnderlyingType(type) is { } plain ? TypeOf(plain)
        : type.IsEnum ? string.Join(", ", Enum.GetNames(type).Distinct())
        : type == typeof(int) || type == typeof(long) ? "integer"
        : type == typeof(double) ? "number"
        : type == typeof(bool) ? "true, false"
        : type == typeof(TimeSpan) ? "time"
        : type == typeof(System.Net.IPEndPoint) ? "address:port"
        : type == typeof(MulticastInterfaces) ? "all, default, or names"
        : type == typeof(IReadOnlyList<ServerEndpoint>) ? "list of endpoints" : "list of addresses";

    private static string Shown(object? value) => value switch
    {
        null => "none",
        bool flag => flag ? "true" : "false",
        IEnumerable list and not string => string.Join("; ", list.Cast<object>()),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => $"{value}",
    };

    private static string SummaryOf(PropertyInfo property)
    {
        var summary = Summaries[$"P:{property.DeclaringType!.FullName}.{property.Name}"].Element("summary")!;
        var text = string.Concat(summary.Nodes().Select(node => node is XElement element ? Name(element) : ((XText)node).Value));
        return Spaces().Replace(text, " ").Trim().Replace("|", "\\|", StringComparison.Ordinal);
    }

    private static string Name(XElement element)
    {
        if (element.Attribute("langword") is { } word) { return word.Value; }
        if (element.Attribute("cref") is not { } reference) { return element.Value; }
        var name = reference.Value[(reference.Value.IndexOf(':') + 1)..].Split('(')[0];
        return name[(name.LastIndexOf('.') + 1)..];
    }

    [GeneratedRegex(@"\s+")]
    private static partial Regex Spaces();
}
