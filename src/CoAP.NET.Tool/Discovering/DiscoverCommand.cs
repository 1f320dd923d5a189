using System.CommandLine;
using CoAP.Tool.Connecting;
using CoAP.Tool.Running;

namespace CoAP.Tool.Discovering;

/// <summary>The command "discover".</summary>
internal sealed class DiscoverCommand
{
    /// <summary>All CoAP Nodes of IPv4 (RFC 7252, section 12.8), which a router does not forward further than the site.</summary>
    private const string AllNodes = "coap://224.0.1.187";

    private readonly Terminal _terminal;
    private readonly ConnectionArguments _connection = new();

    private readonly Argument<string> _host = new("HOST")
    {
        Description = "A server such as localhost or coap+tcp://localhost, or a group such as [ff02::fd]. Default: all CoAP nodes of the local network, 224.0.1.187.",
        DefaultValueFactory = static _ => AllNodes,
    };

    private readonly Option<string?> _filter = new("--filter")
    {
        HelpName = "NAME=VALUE",
        Description = "Only links with this attribute, such as rt=temperature*, if=sensor or href=/sensors* (RFC 6690, section 4.1).",
    };

    private readonly Option<TimeSpan?> _for = new("--for")
    {
        HelpName = "TIME",
        Description = "How long to wait for the answers of a group. Default: 10 s.",
        CustomParser = Duration.Parse,
    };

    private readonly Option<string[]> _interfaces = new("--interface", "-i")
    {
        HelpName = "NAME",
        Description = "The network interface for a group, such as eth0. Default: all. Repeatable.",
    };

    private readonly Option<int?> _hops = new("--hops") { HelpName = "NUMBER", Description = "The hop limit of a request to a group, 1 to 255. Default: 1, the local network." };

    private readonly Option<bool> _isJson = new("--json") { Description = "Print each link as one line of JSON, for scripts." };

    private DiscoverCommand(Terminal terminal)
    {
        _terminal = terminal;
        Bounds.Set(_hops, 1, 255);
    }

    public static Command Create(Terminal terminal)
    {
        var command = new ToolCommand(
            terminal, "discover", "List the resources of a server, or of all servers of a group (RFC 6690).",
            "coap discover localhost",
            "coap discover                              # all servers of the local network",
            "coap discover [ff02::fd] --interface eth0  # over IPv6",
            "coap discover localhost --filter rt=temperature* --json");
        var discover = new DiscoverCommand(terminal);
        command.Add(discover._host);
        foreach (Option option in new Option[] { discover._filter, discover._for, discover._interfaces, discover._hops, discover._isJson }) { command.Add(option); }
        discover._connection.AddTo(command);
        command.Runs(discover.RunAsync);
        return command;
    }

    private async Task<int> RunAsync(ParseResult arguments, CancellationToken cancellationToken)
    {
        var connection = _connection.Open(arguments, _terminal);
        await using var _ = connection.ConfigureAwait(false);
        var host = TargetUri.Complete(arguments.GetRequiredValue(_host));
        var found = connection.Client.DiscoverAsync(host, arguments.GetValue(_filter), SettingsFrom(arguments), cancellationToken);
        var links = new List<DiscoveredLink>();
        await foreach (var link in found.ConfigureAwait(false))
        {
            links.Add(link);
            if (!arguments.GetValue(_isJson)) { continue; }
            await _terminal.Out.WriteLineAsync(LinkReport.Of(link)).ConfigureAwait(false);
            await _terminal.Out.FlushAsync(cancellationToken).ConfigureAwait(false);
        }
        if (!arguments.GetValue(_isJson)) { DiscoveredServers.Print(_terminal.Console, links); }
        if (links.Count > 0) { return ExitCode.Success; }
        await _terminal.Error.WriteLineAsync("No resources found.").ConfigureAwait(false);
        return ExitCode.NoAnswer;
    }

    private MulticastRequestSettings SettingsFrom(ParseResult arguments)
    {
        var settings = new MulticastRequestSettings();
        if (arguments.GetValue(_for) is { } time) { settings = settings with { ListenFor = time }; }
        if (arguments.GetValue(_hops) is { } hops) { settings = settings with { HopLimit = hops }; }
        return arguments.GetValue(_interfaces) is { Length: > 0 } names ? settings with { Interfaces = MulticastInterfaces.Of(names) } : settings;
    }
}
