using CoAP.Tool.Printing;
using Spectre.Console;

namespace CoAP.Tool.Discovering;

/// <summary>Prints a table of links for each server that has answered.</summary>
internal static class DiscoveredServers
{
    public static void Print(IAnsiConsole console, IEnumerable<DiscoveredLink> links)
    {
        foreach (var server in links.GroupBy(static link => link.Sender))
        {
            console.Write(new Text($"{server.Key}\n", new Style(decoration: Decoration.Bold)));
            console.Write(LinkTable.Create(server.Select(static link => link.Link)));
        }
    }
}
