namespace CoAP.FormatComparison.Measuring;

/// <summary>The costs of a list of integers as a whole over a buffer, and item by item over a stream.</summary>
/// <param name="Format">The name of the format.</param>
/// <param name="Whole">The list as one value.</param>
/// <param name="Sync">The items one after the other.</param>
/// <param name="Async">The same asynchronously; <see langword="null"/> if the format cannot.</param>
internal sealed record FormCosts(string Format, Result Whole, (Cost Serialize, Cost Deserialize) Sync, (Cost Serialize, Cost Deserialize)? Async);
