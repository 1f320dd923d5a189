namespace CoAP.Discovery;

/// <summary>How far a reader of links has come.</summary>
/// <param name="Position">The next character to read: 0, or the end of a link.</param>
/// <param name="Searched">The number of characters that searches for the ends of attributes and links have looked at.</param>
internal readonly record struct LinkProgress(int Position, long Searched);
