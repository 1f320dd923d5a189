using CoAP.Tool.Requests;

namespace CoAP.Tool.Serving;

/// <summary>The Content-Format of a served file, by its extension.</summary>
internal static class FileFormat
{
    // Subtypes of media types as extensions, besides the registered extensions.
    private static readonly (string End, uint Format)[] Subtypes =
    [
        (".senml+json", ContentFormats.SenmlJson), (".senml.json", ContentFormats.SenmlJson), (".senml+cbor", ContentFormats.SenmlCbor),
        (".link-format", ContentFormats.LinkFormat), (".svg", ContentFormats.Svg), (".md", ContentFormats.TextPlain),
    ];

    /// <summary>Returns the format; application/octet-stream if the extension is unknown.</summary>
    public static uint Of(string path)
    {
        foreach (var (end, format) in Subtypes)
        {
            if (path.EndsWith(end, StringComparison.OrdinalIgnoreCase)) { return format; }
        }
        return FormatByExtension.Of(path);
    }
}
