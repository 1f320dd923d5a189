namespace CoAP.Tool.Requests;

/// <summary>The Content-Format that the extension of a file name stands for.</summary>
internal static class FormatByExtension
{
    /// <summary>Returns the format; <see cref="ContentFormats.OctetStream"/> for unknown extensions.</summary>
    public static uint Of(string file) => Path.GetExtension(file).ToUpperInvariant() switch
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
