namespace CoAP.Discovery;

/// <summary>How far a reader of links has come.</summary>
/// <param name="Position">The next character to read: 0, or the end of a link.</param>
/// <param name="Searches">The number of searches that have read the text to its end, because a quote is not closed.</param>
internal readonly record struct LinkProgress(int Position, int Searches);
