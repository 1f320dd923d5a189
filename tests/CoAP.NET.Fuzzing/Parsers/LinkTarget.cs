using System.Text;
using CoAP.Discovery;
using CoAP.Fuzzing.Engine;

namespace CoAP.Fuzzing.Parsers;

/// <summary>Link format: the first step is a list of links, each further one an argument of a query for them (RFC 6690).</summary>
internal sealed class LinkTarget() : FuzzTarget("links")
{
    private static readonly string[] Known = ["rt", "if", "ct", "sz", "obs", "rel", "rev", "title", "title*", "type", "media", "hreflang", "anchor"];

    public override IReadOnlyList<byte[]> Dictionary => Words.Links;

    public override void Run(FuzzInput input, Trace trace)
    {
        if (input.Steps.Count == 0) { return; }
        var bytes = input.Steps[0];
        IReadOnlyList<WebLink>? links = null;
        string? error = null;
        Memory.Bounded(() => LinkFormat.TryParse(bytes.AsSpan(), out links, out error), bytes.Length, perByte: 160);
        FuzzFailure.ThrowIf((links is null) != (error is { Length: > 0 }), $"there are {links?.Count} links, and the error is {error}");
        trace.AddText("error", error?.Split(" at position")[0]);
        if (links is null) { return; }
        Check(links, trace);
        var filter = new LinkFilter(input.Steps.Skip(1).Select(Encoding.UTF8.GetString));
        var matches = filter.Apply(links).Count();
        trace.AddSize("matches", matches);
        FuzzFailure.ThrowIf(filter.IsEmpty && matches != links.Count, "a filter without a condition removes links");
    }

    private static void Check(IReadOnlyList<WebLink> links, Trace trace)
    {
        trace.AddSize("links", links.Count);
        foreach (var link in links)
        {
            trace.AddSize("attributes", link.Attributes.Count);
            foreach (var attribute in link.Attributes) { trace.Add("attribute", Array.IndexOf(Known, attribute.Name)); }
            trace.AddSize("relations", link.Relations.Count);
            trace.AddSize("formats", link.ContentFormats.Count);
            trace.Add("parts", (link.Size is null ? 0 : 1) + (link.Title is null ? 0 : 2) + (link.Anchor is null ? 0 : 4) + (link.IsObservable ? 8 : 0));
        }
        var text = LinkFormat.Format(links);
        FuzzFailure.ThrowIf(!LinkFormat.TryParse(text, out var again, out var error), $"the links are written as \"{text}\", which cannot be read: {error}");
        FuzzFailure.ThrowIf(!again!.SequenceEqual(links), $"the links are written as \"{text}\", which reads as others");
    }
}
