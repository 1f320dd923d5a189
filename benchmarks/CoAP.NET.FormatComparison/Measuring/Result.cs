using CoAP.FormatComparison.Formats;

namespace CoAP.FormatComparison.Measuring;

/// <summary>What was measured of one data set in one format.</summary>
/// <param name="Data">The data set.</param>
/// <param name="Format">The name of the format.</param>
/// <param name="Bytes">The serialized size; 0 if the format failed.</param>
/// <param name="Serialize">The cost of serializing to a buffer; <see langword="null"/> if the format failed.</param>
/// <param name="Deserialize">The cost of deserializing from a buffer.</param>
/// <param name="Failure">Why the format cannot represent the data set.</param>
internal sealed record Result(DataSet Data, string Format, long Bytes, Cost? Serialize, Cost? Deserialize, string Failure = "")
{
    /// <summary>The compression ratio of the source document (section 6.2): the size of the primitives divided by the serialized size.</summary>
    public double Ratio => Bytes == 0 ? double.NaN : (double)Data.RawBytes / Bytes;

    /// <summary>The compression ratio with the size of the objects in memory, as in the document's figure 8.</summary>
    public double ObjectRatio => Bytes == 0 ? double.NaN : (double)Data.ObjectBytes / Bytes;
}
