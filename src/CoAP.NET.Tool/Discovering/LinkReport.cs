using CoAP.Tool.Printing;

namespace CoAP.Tool.Discovering;

/// <summary>A discovered link as one line of JSON, for scripts.</summary>
internal static class LinkReport
{
    public static string Of(DiscoveredLink found) => JsonReport.Write(writer =>
    {
        writer.WriteString("from", found.Sender.ToString());
        writer.WriteString("uri", found.Uri);
        writer.WriteString("target", found.Link.Target);
        writer.WriteStartObject("attributes");
        foreach (var attribute in found.Link.Attributes.DistinctBy(static one => one.Name)) { writer.WriteString(attribute.Name, attribute.Value); }
        writer.WriteEndObject();
    });
}
