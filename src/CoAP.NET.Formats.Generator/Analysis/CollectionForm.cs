namespace CoAP.Formats.Generation.Analysis;

/// <summary>The contract of a generic collection.</summary>
/// <param name="Contract">The name of the class.</param>
/// <param name="NamesItself">Whether the collection is the first type argument of the contract.</param>
/// <param name="HasKeys">Whether the first type argument of the collection is hashed.</param>
internal sealed record CollectionForm(string Contract, bool NamesItself, bool HasKeys);
