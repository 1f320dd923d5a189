using System.Net;
using Microsoft.Extensions.Configuration;

namespace CoAP.Hosting;

/// <summary>Reads lists: an array of the configuration, or one text with semicolons between the elements.</summary>
internal static class SettingsLists
{
    /// <summary>Whether values of a type are read here.</summary>
    public static bool Reads(Type type) => type == typeof(IReadOnlyList<ServerEndpoint>) || type == typeof(IReadOnlyList<IPAddress>)
        || type == typeof(IReadOnlyList<string>) || type == typeof(MulticastInterfaces);

    /// <summary>Reads a list. Each element that is wrong adds an error.</summary>
    /// <returns><see langword="null"/> if there was an error.</returns>
    public static object? Read(Type type, IConfigurationSection section, ICollection<string> problems)
    {
        if (type == typeof(IReadOnlyList<ServerEndpoint>)) { return Collect(section, problems, ServerEndpoint.ParseAll); }
        if (type == typeof(IReadOnlyList<IPAddress>)) { return Collect<IPAddress>(section, problems, static text => [ParseAddress(text)]); }
        if (type == typeof(IReadOnlyList<string>)) { return Collect<string>(section, problems, static text => [text]); }
        return Collect<string>(section, problems, static text => [text]) switch
        {
            null => null,
            [] => Empty(section, problems),
            [var word] when word.Equals("all", StringComparison.OrdinalIgnoreCase) => MulticastInterfaces.All,
            [var word] when word.Equals("default", StringComparison.OrdinalIgnoreCase) => MulticastInterfaces.SystemDefault,
            var names => MulticastInterfaces.Of(names),
        };
    }

    private static object? Empty(IConfigurationSection section, ICollection<string> problems)
    {
        problems.Add($"{section.Path} is empty; write all, default, or the names of interfaces.");
        return null;
    }

    private static IPAddress ParseAddress(string text) => IPAddress.TryParse(text, out var address)
        ? SettingsText.HasKnownZone(text, address) ? address : throw new FormatException("The zone is not a network interface of the machine.")
        : throw new FormatException("Write an IP address, such as 224.0.1.187 or ff02::fd.");

    private static List<T>? Collect<T>(IConfigurationSection section, ICollection<string> problems, Func<string, IEnumerable<T>> parse)
    {
        var before = problems.Count;
        var all = new List<T>();
        var elements = section.GetChildren().ToList();
        if (elements.Count == 0) { elements.Add(section); }
        foreach (var element in elements)
        {
            if (element.Value is null && element != section)
            {
                problems.Add($"{element.Path} is not a text; write the elements of a list as texts.");
                continue;
            }
            foreach (var text in (element.Value ?? "").Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
            {
                try { all.AddRange(parse(text)); }
                catch (FormatException error)
                {
                    problems.Add($"{element.Path} {ShownElement.Of(text)}: {ShownElement.MessageOf(error, text)}");
                }
            }
        }
        return problems.Count == before ? all : null;
    }
}
