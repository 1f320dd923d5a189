using System.Xml;

namespace CoAP.Formats;

/// <summary>Turns the exceptions of System.Xml into payload errors.</summary>
internal static class XmlErrors
{
    /// <summary>Whether the payload caused an exception. Constructors of the types may refuse values as well.</summary>
    public static bool IsOfPayload(Exception exception) =>
        exception is XmlException or FormatException or ArgumentException or OverflowException or InvalidOperationException;

    /// <summary>Describes an exception without the names of .NET types and without the line.</summary>
    public static string Describe(Exception exception, PayloadLimits limits)
    {
        if (exception is not XmlException) { return "The XML cannot be converted to the expected type"; }
        if (exception.InnerException is FormatException or OverflowException) { return "The text of the element is not valid for the expected type"; }
        var message = exception.Message;
        if (message.Contains("quota", StringComparison.OrdinalIgnoreCase))
        {
            return $"The XML exceeds a limit: {limits.MaxDepth} levels, {limits.MaxLength} bytes of text, or {XmlQuotas.MaxTagSize} bytes in one tag";
        }
        var end = message.LastIndexOf(" Line ", StringComparison.Ordinal);
        var what = (end < 0 ? message : message[..end]).TrimEnd('.', ' ');
        return $"Invalid XML: {(what.Length <= 200 ? what : $"{what.AsSpan(0, 200)}...")}";
    }

    /// <summary>Creates the error for a declaration that is cut off, at which the parser throws an <see cref="IndexOutOfRangeException"/>.</summary>
    public static CoapPayloadException OfDeclaration(IndexOutOfRangeException exception) =>
        new("Invalid XML: the declaration is malformed (at byte 0).", 0, exception);
}
