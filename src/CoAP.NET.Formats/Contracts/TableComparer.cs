namespace CoAP.Formats.Contracts;

/// <summary>The comparers of the tables that are read.</summary>
internal static class TableComparer
{
    /// <summary>
    /// Returns a comparer whose hash codes a peer cannot foresee; <see langword="null"/> for texts, whose own hash codes are like that.
    /// </summary>
    public static SeededComparer<T>? Of<T>() => typeof(T) == typeof(string) ? null : SeededComparer<T>.Default;
}
