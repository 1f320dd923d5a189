using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;

namespace CoAP.Hosting.Binding;

/// <summary>Parses the text of an argument. For generated code.</summary>
/// <param name="text">The text, as the peer has sent it.</param>
/// <param name="value">The value.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public delegate bool ArgumentParser<T>(string text, [MaybeNullWhen(false)] out T value);
