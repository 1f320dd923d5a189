using System.Globalization;
using CoAP.Discovery;
using Spectre.Console;

namespace CoAP.Tool.Printing;

/// <summary>Links (RFC 6690) as a table.</summary>
internal static class LinkTable
{
    public static Table Create(IEnumerable<WebLink> links)
    {
        var table = new Table().RoundedBorder().AddColumn(new TableColumn("resource").NoWrap());
        table.AddColumns("type", "interface", "formats", "size", "observable", "title");
        foreach (var link in links)
        {
            table.AddRow(
                new Text(Printable.Of(link.Target)),
                new Text(Printable.Of(string.Join(' ', link.ResourceTypes))),
                new Text(Printable.Of(string.Join(' ', link.Interfaces))),
                new Text(string.Join(", ", link.ContentFormats.Select(FormatName.ShortOf))),
                new Text(link.Size?.ToString(CultureInfo.InvariantCulture) ?? ""),
                new Text(link.IsObservable ? "yes" : ""),
                new Text(Printable.Of(link.Title ?? "")));
        }
        return table;
    }
}
