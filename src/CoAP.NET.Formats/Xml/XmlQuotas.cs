using System.Xml;

namespace CoAP.Formats;

/// <summary>Converts limits to those of the parser.</summary>
internal static class XmlQuotas
{
    /// <summary>The largest start tag with its attributes, in bytes. The parser compares each attribute with each other one.</summary>
    public const int MaxTagSize = 4096;

    /// <summary>Creates the limits of the parser.</summary>
    /// <param name="limits">The limits of the format.</param>
    /// <param name="maxDepth">The largest number of elements inside one another.</param>
    /// <param name="maxText">The longest text, in bytes.</param>
    public static XmlDictionaryReaderQuotas Create(PayloadLimits limits, int maxDepth, long maxText) => new()
    {
        MaxDepth = maxDepth,
        MaxStringContentLength = (int)Math.Min(int.MaxValue, maxText),
        MaxArrayLength = limits.MaxLength,
        MaxBytesPerRead = MaxTagSize,
        MaxNameTableCharCount = int.MaxValue,
    };
}
