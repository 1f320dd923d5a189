using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using System.Text.RegularExpressions;
using System.Xml.Linq;

namespace CoAP.Hosting.Tests.Configuration;

/// <summary>Writes the tables of docs/configuration.md from the records of settings and their documentation.</summary>
internal static partial class SettingsPage
{
    private static readonly string[] Machine = ["HandlerThreads", "HandshakeThreads"];

    private static readonly Dictionary<string, XElement> Summaries = new[] { "CoAP.NET.xml", "CoAP.NET.Core.xml", "CoAP.NET.Dtls.xml" }
        .SelectMany(file => XDocument.Load(Path.Combine(AppContext.BaseDirectory, file)).Descendants("member"))
        .GroupBy(member => (string)member.Attribute("name")!).ToDictionary(group => group.Key, group => group.First());

    /// <summary>Returns the table of the keys of some records: of those that stay, or of those that may change before 1.0.</summary>
    public static IEnumerable<string> TableOf(bool isExperimental, params IEnumerable<(SettingsType Type, string Prefix)> records) =>
        new[] { "| Key | Type | Default | Meaning |", "| --- | --- | --- | --- |" }.Concat(records
            .SelectMany(record => Rows(record.Type, record.Prefix, isExperimental: false)).Where(row => row.IsExperimental == isExperimental).Select(row => row.Text));

    /// <summary>Returns the names of the properties that only code can set, as a list.</summary>
    public static IEnumerable<string> SetInCode(bool isExperimental, params IEnumerable<SettingsType> types) => types.SelectMany(type => type.Properties
        .Where(property => !KnownSettings.IsBindable(property.PropertyType) && IsExperimental(property) == isExperimental)
        .Select(property => $"- `{(type.Type.IsAssignableTo(typeof(CoapEndpointSettings)) ? property.DeclaringType!.Name : type.Type.Name)}.{property.Name}`"))
        .Distinct().Order(StringComparer.Ordinal);

    private static IEnumerable<(string Text, bool IsExperimental)> Rows(SettingsType type, string prefix, bool isExperimental)
    {
        var defaults = type.Create();
        foreach (var property in type.Properties.Where(property => KnownSettings.IsBindable(property.PropertyType)).OrderBy(property => property.Name, StringComparer.Ordinal))
        {
            var key = prefix + property.Name;
            var mayChange = isExperimental || IsExperimental(property);
            if (KnownSettings.Of(property.PropertyType) is { } nested)
            {
                foreach (var row in Rows(nested, $"{key}:", mayChange)) { yield return row; }
            }
            else
            {
                var isRequired = type.RequiredKeys.Contains(property.Name);
                var value = isRequired ? "required" : Machine.Contains(property.Name) ? "by processors" : Shown(property.GetValue(defaults));
                yield return ($"| `{key}` | {TypeOf(property.PropertyType)} | {value} | {SummaryOf(property)} |", mayChange);
            }
        }
        foreach (var file in type.FileKeys) { yield return ($"| `{prefix}{file}` | path | none | A PEM file. |", isExperimental); }
    }

    private static bool IsExperimental(PropertyInfo property) => property.IsDefined(typeof(ExperimentalAttribute));

    private static string TypeOf(Type type) => Nullable.GetUnderlyingType(type) is { } plain ? TypeOf(plain)
        : type.IsEnum ? string.Join(", ", Enum.GetNames(type).Distinct())
        : type == typeof(int) || type == typeof(long) ? "integer"
        : type == typeof(double) ? "number"
        : type == typeof(bool) ? "true, false"
        : type == typeof(TimeSpan) ? "time"
        : type == typeof(string) ? "text"
        : type == typeof(IReadOnlyList<string>) ? "list of texts"
        : type == typeof(ReadOnlyMemory<byte>) ? "hexadecimal digits"
        : type == typeof(System.Net.IPEndPoint) ? "address:port"
        : type == typeof(MulticastInterfaces) ? "all, default, or names"
        : type == typeof(IReadOnlyList<ServerEndpoint>) ? "list of endpoints" : "list of addresses";

    private static string Shown(object? value) => value switch
    {
        null => "none",
        bool flag => flag ? "true" : "false",
        ReadOnlyMemory<byte> { IsEmpty: true } => "none",
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
