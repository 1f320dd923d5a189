namespace CoAP.Tests.Resources;

/// <summary>Compares the map with a model that splits strings and tries every template.</summary>
public sealed class RoutingModelTests
{
    private static readonly string[] Texts = ["a", "b", "c", "", "..", "aaaaaaaaaaaa", "aaaaaaaaaaab"];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(20260)]
    public void Matches_as_the_model_does(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 60; round++)
        {
            var map = new ResourceMap();
            var mapped = new HashSet<string>();
            for (var step = 0; step < 60; step++)
            {
                ChangeOne(random, map, mapped);
                var path = "/" + string.Join('/', Enumerable.Range(0, random.Next(1, 5)).Select(_ => Texts[random.Next(Texts.Length)]));

                var found = map.Match(Requests.Message(RequestCode.Get, path).Options);

                (found?.Route.CanMatch(path) ?? true).Should().BeTrue("a resource has the paths that are routed to it: {0}", path);
                (found?.Template).Should().Be(Model(mapped, path), "seed {0}, round {1}, {2} among {3}", seed, round, path, string.Join(' ', mapped));
            }
        }
    }

    private static void ChangeOne(Random random, ResourceMap map, HashSet<string> mapped)
    {
        var segments = Enumerable.Range(0, random.Next(1, 5))
            .Select(depth => random.Next(3) == 0 ? $"{{p{depth}}}" : Texts[random.Next(2)]).ToList();
        if (random.Next(5) == 0) { segments.Add("{*rest}"); }
        var template = "/" + string.Join('/', segments);
        if (random.Next(3) == 0)
        {
            map.Remove(template).Should().Be(mapped.Remove(template));
            return;
        }
        mapped.Add(template);
        map.At(template);
    }

    // Of all templates that fit, the one whose kinds of segments come first in the order literal, placeholder, wildcard.
    private static string? Model(IEnumerable<string> mapped, string path)
    {
        if (path == "/") { return null; }
        var segments = path[1..].Split('/');
        return mapped.Where(template => Fits(template[1..].Split('/'), segments)).MinBy(Rank, StringComparer.Ordinal);
    }

    private static bool Fits(string[] template, string[] path)
    {
        var isOpen = template[^1] == "{*rest}";
        if (isOpen ? path.Length < template.Length : path.Length != template.Length) { return false; }
        for (var i = 0; i < path.Length; i++)
        {
            if (isOpen && i >= template.Length - 1)
            {
                if (path[i] == "..") { return false; }
            }
            else if (template[i].StartsWith('{') ? path[i] is "" or ".." : template[i] != path[i])
            {
                return false;
            }
        }
        return true;
    }

    private static string Rank(string template) =>
        string.Concat(template[1..].Split('/').Select(segment => segment == "{*rest}" ? '3' : segment.StartsWith('{') ? '2' : '1'));
}
