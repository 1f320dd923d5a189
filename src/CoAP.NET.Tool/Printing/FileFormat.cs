namespace CoAP.Tool.Printing;

/// <summary>The Content-Format of a file, by its extension.</summary>
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
        return OfExtension(Path.GetExtension(path));
    }

    private static uint OfExtension(string extension) => extension.ToUpperInvariant() switch
    {
        ".TXT" or ".TEXT" or ".CSV" or ".LOG" => ContentFormats.TextPlain,
        ".JSON" => ContentFormats.Json,
        ".CBOR" => ContentFormats.Cbor,
        ".XML" => ContentFormats.Xml,
        ".WLNK" => ContentFormats.LinkFormat,
        ".SENML" => ContentFormats.SenmlJson,
        ".SENMLC" => ContentFormats.SenmlCbor,
        ".PNG" => ContentFormats.Png,
        ".JPG" or ".JPEG" => ContentFormats.Jpeg,
        ".GIF" => ContentFormats.Gif,
        _ => ContentFormats.OctetStream,
    };
}
